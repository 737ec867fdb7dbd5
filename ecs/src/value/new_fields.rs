//! [`NewFields`]: memory that the fields of a struct or a variant are read into.
#![expect(
    unsafe_code,
    reason = "values are written to uninitialised memory, at the offsets of their description"
)]

use alloc::format;
use alloc::vec::Vec;
use core::alloc::Layout;
use core::{fmt, mem, ptr};

use serde::de::{
    DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor,
};

use super::description::{Field, FieldList, Style, ValueType};
use super::deserialize::{NewValue, written};
use super::names::{NameSeed, PartsName};
use super::room::Room;
use crate::persist::erased::exact::ReadStyle;
use crate::persist::erased::read::{FormEvent, Hint, Receiver};
use crate::persist::erased::{FormError, ReadForm};

/// The place of the fields of a struct or a variant.
pub(super) enum FieldPlace<'a> {
    /// They lie at their offsets from this address on.
    Struct(*mut u8),
    /// They have an address each.
    Variant(&'a [*mut u8]),
}

impl FieldPlace<'_> {
    fn at(&self, number: usize, field: &Field) -> *mut u8 {
        match self {
            // SAFETY: an offset of a field lies within the value.
            Self::Struct(start) => unsafe { start.add(field.offset) },
            Self::Variant(addresses) => addresses[number],
        }
    }
}

/// The addresses of the fields of a variant, in memory that has no type.
#[derive(Default)]
pub(super) struct Addresses {
    offsets: Vec<usize>,
    addresses: Vec<*mut u8>,
}

impl Addresses {
    /// Lays out the fields one after the other, and returns the memory for them.
    pub(super) fn place(&mut self, fields: &[Field]) -> Room {
        let mut layout = Layout::new::<()>();
        for field in fields {
            let (more, offset) =
                layout.extend((field.of)().layout).expect("an enum has the memory of its fields");
            layout = more;
            self.offsets.push(offset);
        }
        Room::new(layout)
    }

    pub(super) fn of(&mut self, room: &mut Room) -> &[*mut u8] {
        let start = room.address();
        // SAFETY: the offsets lie within the layout of the room.
        self.addresses.extend(self.offsets.iter().map(|&offset| unsafe { start.add(offset) }));
        &self.addresses
    }
}

/// The visitor of the fields of a struct or a variant.
pub(super) struct NewFields<'a> {
    pub(super) parts: &'static FieldList,
    pub(super) place: FieldPlace<'a>,
    pub(super) name: PartsName,
    /// The style in which the value is read whose fields they are.
    pub(super) style: ReadStyle,
}

/// The proof that all fields at a place were written. Dropped, it drops them.
///
/// # Invariant
/// The fields whose bit is set are written.
pub(super) struct WrittenFields<'a> {
    parts: &'static FieldList,
    place: FieldPlace<'a>,
    /// One bit for each field, in words of 64.
    set: BitList,
}

/// Bits, of which the first 64 take no allocation.
#[derive(Default)]
struct BitList(u64, Vec<u64>);

impl BitList {
    fn has(&self, at: usize) -> bool {
        let word = if at < 64 { Some(&self.0) } else { self.1.get(at / 64 - 1) };
        word.is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    fn set(&mut self, at: usize) {
        let word = match at / 64 {
            0 => &mut self.0,
            more => {
                self.1.resize(self.1.len().max(more), 0);
                &mut self.1[more - 1]
            }
        };
        *word |= 1 << (at % 64);
    }
}

impl WrittenFields<'_> {
    /// Consumes the proof that all fields of this place were written. From here on the caller owns
    /// them.
    pub(super) fn of<E: Error>(self, parts: &'static FieldList, place: &FieldPlace<'_>) -> Result<(), E> {
        let is_same = match (&self.place, place) {
            (FieldPlace::Struct(one), FieldPlace::Struct(other)) => ptr::eq(*one, *other),
            (FieldPlace::Variant(one), FieldPlace::Variant(other)) => ptr::eq(*one, *other),
            _ => false,
        };
        if !is_same || !ptr::eq(self.parts, parts) {
            return Err(E::custom("the format has mixed up two values"));
        }
        mem::forget(self);
        Ok(())
    }

    /// Writes the value of a field that was not read, if it has one.
    fn complete<E: Error>(&mut self) -> Result<(), E> {
        for (number, field) in self.parts.fields.iter().enumerate() {
            if self.set.has(number) {
                continue;
            }
            let to = self.place.at(number, field);
            match field.default {
                // SAFETY: the address is that of memory for the field.
                Some(default) => unsafe { default(to) },
                // SAFETY: as above.
                None if unsafe { is_read_as_missing((field.of)(), to) } => {}
                None => return Err(E::missing_field(field.name)),
            }
            self.set.set(number);
        }
        Ok(())
    }
}

impl Drop for WrittenFields<'_> {
    fn drop(&mut self) {
        for (number, field) in self.parts.fields.iter().enumerate() {
            if self.set.has(number) {
                // SAFETY: the field was written, by the invariant, and is not used any more.
                unsafe { (field.of)().drop_value(self.place.at(number, field)) };
            }
        }
    }
}

impl<'a> NewFields<'a> {
    fn start(self) -> WrittenFields<'a> {
        WrittenFields { parts: self.parts, place: self.place, set: BitList::default() }
    }

    /// Gives all fields the values of fields that were not read.
    pub(super) fn defaults<E: Error>(self) -> Result<WrittenFields<'a>, E> {
        let mut fields = self.start();
        fields.complete()?;
        Ok(fields)
    }
}

impl<'de, 'a> DeserializeSeed<'de> for NewFields<'a> {
    type Value = WrittenFields<'a>;

    /// Reads the content of a newtype.
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<WrittenFields<'a>, D::Error> {
        self.visit_newtype_struct(from)
    }
}

impl<'de, 'a> Visitor<'de> for NewFields<'a> {
    type Value = WrittenFields<'a>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.name, f)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<WrittenFields<'a>, D::Error> {
        let (Style::Newtype, [field]) = (self.parts.style, self.parts.fields) else {
            return Err(D::Error::invalid_type(Unexpected::NewtypeStruct, &self));
        };
        let to = self.place.at(0, field);
        // SAFETY: the address is that of memory for the field.
        unsafe { NewValue::new((field.of)(), to) }.styled(self.style).read(from)?;
        let mut fields = self.start();
        fields.set.set(0);
        Ok(fields)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<WrittenFields<'a>, A::Error> {
        let (parts, name, style) = (self.parts, self.name, self.style.of_part());
        let mut fields = self.start();
        let read = parts.fields.iter().enumerate().filter(|(_, field)| !field.skipped);
        for (count, (number, field)) in read.enumerate() {
            let to = fields.place.at(number, field);
            // SAFETY: the address is that of memory for the field.
            let new = unsafe { NewValue::new((field.of)(), to) }.styled(style);
            match elements.next_element_seed(new)? {
                Some(read) => written(read, to)?,
                None if let Some(default) = field.default => {
                    // SAFETY: the address is that of memory for the field.
                    unsafe { default(to) };
                }
                None => {
                    let expected = match (name.of, name.count) {
                        ("", _) => format!("{name}"),
                        (_, 1) => format!("{name} with 1 element"),
                        (_, count) => format!("{name} with {count} elements"),
                    };
                    return Err(A::Error::invalid_length(count, &&*expected));
                }
            }
            fields.set.set(number);
        }
        fields.complete()?;
        Ok(fields)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<WrittenFields<'a>, A::Error> {
        let (parts, style) = (self.parts, self.style.of_part());
        if parts.style != Style::Named {
            return Err(A::Error::invalid_type(Unexpected::Map, &self));
        }
        let mut fields = self.start();
        let mut next = 0;
        while let Some(found) = entries.next_key_seed(NameSeed::Field { fields: parts.fields, next })? {
            let Some(number) = found else {
                entries.next_value::<IgnoredAny>()?;
                continue;
            };
            let field = &parts.fields[number];
            if fields.set.has(number) {
                return Err(A::Error::duplicate_field(field.name));
            }
            let to = fields.place.at(number, field);
            // SAFETY: the address is that of memory for the field.
            let new = unsafe { NewValue::new((field.of)(), to) }.styled(style);
            written(entries.next_value_seed(new)?, to)?;
            fields.set.set(number);
            next = number + 1;
        }
        fields.complete()?;
        Ok(fields)
    }
}

/// Reads the value of a field that a file lacks, if it has one: an option is `None`.
///
/// # Safety
/// The address is valid for a write of the type.
unsafe fn is_read_as_missing(of: &'static ValueType, to: *mut u8) -> bool {
    // SAFETY: the contract of this function.
    unsafe { NewValue::new(of, to) }.read_form(&mut MissingField).is_ok()
}

/// The form of a field that a file lacks: an option is `None`, and everything else is missing.
struct MissingField;

impl<'de> ReadForm<'de> for MissingField {
    fn read(&mut self, hint: Hint, to: &mut dyn Receiver<'de>) -> Result<(), FormError> {
        match hint {
            Hint::Option => to.receive(FormEvent::None),
            _ => Err(FormError::missing_field("")),
        }
    }
}
