//! [`NewValue`]: memory that a described value is read into, from any format.
#![expect(
    unsafe_code,
    reason = "values are written to uninitialised memory, at the offsets of their description"
)]

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::mem::{self, MaybeUninit};
use core::ptr;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, IgnoredAny, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};

use super::description::{
    CollectionType, Field, FieldList, Number, Reflect, Style, TypeOf, ValueShape, ValueType,
};
use super::room::Room;
use crate::entity::Entity;
use crate::persist::erased::{FormError, ReadForm};
use crate::persist::memory::{self, FOR_A_BYTE};

/// Memory for a value of a type, which is read into it. It is the seed and the visitor of the value.
///
/// # Invariant
/// `to` is valid for a write of the type.
pub(crate) struct NewValue {
    of: &'static ValueType,
    to: *mut u8,
}

/// The proof that a value was written to an address. Only [`NewValue`] makes it, so that a deserializer which returns without
/// having called its visitor cannot pass off uninitialised memory as a value.
///
/// It owns the value until it is [kept](Self::keep), so that a format which reports an error after its visitor has returned leaves
/// nothing behind.
///
/// # Invariant
/// `to` is the address of a value of the type, which nobody else drops.
pub(crate) struct Written {
    of: &'static ValueType,
    to: *mut u8,
}

/// Reads a described value.
///
/// # Errors
/// Those of the format, and those of the functions that refuse values.
pub fn deserialize<'de, T: Reflect, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let mut value = MaybeUninit::<T>::uninit();
    let to = value.as_mut_ptr().cast();
    // SAFETY: there is memory for a `T`, whose description this is.
    unsafe { NewValue::new(T::value_type(), to) }.read(deserializer)?;
    // SAFETY: `read` has written the value.
    Ok(unsafe { value.assume_init() })
}

impl NewValue {
    /// Memory at this address.
    ///
    /// # Safety
    /// The address is valid for a write of the type.
    pub(crate) unsafe fn new(of: &'static ValueType, to: *mut u8) -> Self {
        Self { of, to }
    }

    /// Reads the value. After an error there is none.
    ///
    /// # Errors
    /// Those of the format, and those of the functions that refuse values.
    pub(crate) fn read<'de, D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.finish(|new| new.deserialize(deserializer))
    }

    /// [`read`](Self::read) from a form. A type that serde reads gets the form itself, not a form that forwards to it.
    ///
    /// # Errors
    /// As for `read`.
    pub(crate) fn read_form(self, form: &mut dyn ReadForm<'_>) -> Result<(), FormError> {
        match &self.of.shape {
            // SAFETY: the address is valid for a write of the type, by the invariant.
            ValueShape::Serde(by_serde) => unsafe { (by_serde.read)(form, self.to) },
            _ => self.read(form),
        }
    }

    /// Reads the value by a function. After an error there is none.
    ///
    /// # Errors
    /// That of the function, and of one that has not read the value.
    pub(crate) fn finish<E: Error>(self, read: impl FnOnce(Self) -> Result<Written, E>) -> Result<(), E> {
        let to = self.to;
        written(read(self)?, to)
    }

    /// Memory for a part of the value.
    ///
    /// # Safety
    /// The address is valid for a write of the type.
    unsafe fn part(&self, of: TypeOf, to: *mut u8) -> Self {
        Self { of: of(), to }
    }

    /// Writes the value.
    ///
    /// # Safety
    /// The type of the value is `T`.
    unsafe fn put<T>(self, value: T) -> Written {
        // SAFETY: the invariant, and the contract of this function.
        unsafe { self.to.cast::<T>().write(value) };
        self.written()
    }

    /// The proof for a value that was written.
    fn written(self) -> Written {
        Written { of: self.of, to: self.to }
    }

    fn number<'de, D: Deserializer<'de>>(self, number: Number, from: D) -> Result<Written, D::Error> {
        // SAFETY: the description says that the value is such a number.
        unsafe {
            Ok(match number {
                Number::U8 => self.put(u8::deserialize(from)?),
                Number::U16 => self.put(u16::deserialize(from)?),
                Number::U32 => self.put(u32::deserialize(from)?),
                Number::U64 => self.put(u64::deserialize(from)?),
                Number::U128 => self.put(u128::deserialize(from)?),
                Number::Usize => self.put(usize::deserialize(from)?),
                Number::I8 => self.put(i8::deserialize(from)?),
                Number::I16 => self.put(i16::deserialize(from)?),
                Number::I32 => self.put(i32::deserialize(from)?),
                Number::I64 => self.put(i64::deserialize(from)?),
                Number::I128 => self.put(i128::deserialize(from)?),
                Number::Isize => self.put(isize::deserialize(from)?),
                Number::F32 => self.put(f32::deserialize(from)?),
                Number::F64 => self.put(f64::deserialize(from)?),
            })
        }
    }

    /// Reads a struct or a tuple.
    fn structure<'de, D: Deserializer<'de>>(
        self,
        name: &'static str,
        parts: &'static FieldList,
        from: D,
    ) -> Result<Written, D::Error> {
        let (of, to) = (self.of, self.to);
        let of_parts = PartsName { of: name, variant: "", style: parts.style, count: parts.names.len() };
        let fields = NewFields { parts, place: FieldPlace::Struct(to), name: of_parts };
        let count = parts.names.len();
        let read = match parts.style {
            Style::Newtype => from.deserialize_newtype_struct(name, fields),
            Style::Named => from.deserialize_struct(name, parts.names, fields),
            _ if name.is_empty() => from.deserialize_tuple(count, fields),
            _ => from.deserialize_tuple_struct(name, count, fields),
        };
        // the fields are the value
        read?.of(parts, &FieldPlace::Struct(to))?;
        Ok(Written { of, to })
    }
}

/// Checks that a value was written to this address. From here on the caller owns it.
fn written<E: Error>(written: Written, to: *mut u8) -> Result<(), E> {
    written.at(to).map(Written::keep)
}

impl Written {
    /// Checks that the value was written to this address.
    fn at<E: Error>(self, to: *mut u8) -> Result<Self, E> {
        match ptr::eq(self.to, to) {
            true => Ok(self),
            false => Err(E::custom("the format has mixed up two values")),
        }
    }

    /// Leaves the value to the caller.
    fn keep(self) {
        mem::forget(self);
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        // SAFETY: the value is there, and nobody else drops it, by the invariant.
        unsafe { self.of.drop_value(self.to) };
    }
}

impl<'de> DeserializeSeed<'de> for NewValue {
    type Value = Written;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Written, D::Error> {
        let (of, check) = (self.of, self.of.check);
        let to = self.to;
        // SAFETY: the values that are put are of the described type.
        let read = unsafe {
            match &of.shape {
                ValueShape::Bool => self.put(bool::deserialize(from)?),
                ValueShape::Char => self.put(char::deserialize(from)?),
                ValueShape::Number(number) => self.number(*number, from)?,
                ValueShape::Unit("") => from.deserialize_unit(self)?,
                ValueShape::Unit(name) => from.deserialize_unit_struct(name, self)?,
                ValueShape::Entity => self.put(Entity::deserialize(from)?),
                ValueShape::Text(_) => from.deserialize_string(self)?,
                ValueShape::Option(_) => from.deserialize_option(self)?,
                ValueShape::Wrapper(wrapper) => {
                    let item = (wrapper.item)();
                    let mut room = Room::new(item.layout);
                    self.part(wrapper.item, room.address()).read(from)?;
                    (wrapper.set)(room.address(), to);
                    Written { of, to }
                }
                ValueShape::List(_) => from.deserialize_seq(self)?,
                ValueShape::Map(_) => from.deserialize_map(self)?,
                ValueShape::Array(_, len) => from.deserialize_tuple(*len, self)?,
                ValueShape::Struct(name, parts) => self.structure(name, parts, from)?,
                ValueShape::Enum(enumeration) => {
                    from.deserialize_enum(enumeration.name, enumeration.names, self)?
                }
                ValueShape::Serde(by_serde) => {
                    let mut form = <dyn ReadForm<'_>>::of(from);
                    (by_serde.read)(&mut form, to).map_err(D::Error::custom)?;
                    Written { of, to }
                }
            }
        };
        let read = read.at(to)?;
        if let Some(check) = check {
            // SAFETY: the value was written.
            unsafe { check(to) }.map_err(D::Error::custom)?;
        }
        Ok(read)
    }
}

impl<'de> Visitor<'de> for NewValue {
    type Value = Written;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.of.shape {
            ValueShape::Unit("") => f.write_str("unit"),
            ValueShape::Unit(name) => write!(f, "unit struct {name}"),
            ValueShape::Text(_) => f.write_str("a string"),
            ValueShape::Option(_) => f.write_str("option"),
            ValueShape::List(_) => f.write_str("a sequence"),
            ValueShape::Map(_) => f.write_str("a map"),
            ValueShape::Array(_, len) => write!(f, "an array of length {len}"),
            ValueShape::Enum(of) => write!(f, "enum {}", of.name),
            _ => f.write_str("a value"),
        }
    }

    fn visit_unit<E: Error>(self) -> Result<Written, E> {
        match &self.of.shape {
            // SAFETY: a unit struct has no size, so that nothing is written.
            ValueShape::Unit(_) => Ok(unsafe { self.put(()) }),
            ValueShape::Option(_) => self.visit_none(),
            _ => Err(E::invalid_type(Unexpected::Unit, &self)),
        }
    }

    fn visit_none<E: Error>(self) -> Result<Written, E> {
        match &self.of.shape {
            ValueShape::Option(option) => {
                // SAFETY: the address is valid for a write of the type.
                unsafe { (option.set)(ptr::null_mut(), self.to) };
                Ok(self.written())
            }
            _ => Err(E::invalid_type(Unexpected::Option, &self)),
        }
    }

    fn visit_some<D: Deserializer<'de>>(self, content: D) -> Result<Written, D::Error> {
        let ValueShape::Option(option) = &self.of.shape else {
            return Err(D::Error::invalid_type(Unexpected::Option, &self));
        };
        let mut room = Room::new((option.item)().layout);
        // SAFETY: the room has the layout of the content, which `read` writes and `set` moves away.
        unsafe {
            self.part(option.item, room.address()).read(content)?;
            (option.set)(room.address(), self.to);
        }
        Ok(self.written())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Written, E> {
        match &self.of.shape {
            ValueShape::Text(of) => {
                // SAFETY: the address is valid for a write of the type.
                unsafe { (of.set)(text, self.to) };
                Ok(self.written())
            }
            _ => Err(E::invalid_type(Unexpected::Str(text), &self)),
        }
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Written, E> {
        match (core::str::from_utf8(bytes), &self.of.shape) {
            (Ok(text), ValueShape::Text(_)) => self.visit_str(text),
            (Err(_), ValueShape::Text(_)) => Err(E::invalid_value(Unexpected::Bytes(bytes), &self)),
            _ => Err(E::invalid_type(Unexpected::Bytes(bytes), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Written, A::Error> {
        match &self.of.shape {
            ValueShape::List(list) => {
                let item = (list.item)();
                let mut new = NewCollection::new(&self, &list.collection, elements.size_hint(), &[item]);
                let mut room = Room::new(item.layout);
                loop {
                    // SAFETY: the room has the layout of an element.
                    let element = unsafe { self.part(list.item, room.address()) };
                    let Some(read) = elements.next_element_seed(element)? else { break };
                    written(read, room.address())?;
                    // SAFETY: the element was written.
                    unsafe { new.push(room.address(), ptr::null_mut()) }?;
                }
                Ok(new.keep())
            }
            ValueShape::Array(item, len) => {
                let item_type = item();
                let mut new = NewArray { item: item_type, to: self.to, len: 0 };
                while new.len < *len {
                    // SAFETY: the elements of an array lie side by side.
                    let place = unsafe { self.to.add(new.len * item_type.layout.size()) };
                    // SAFETY: the place is that of an element.
                    let element = unsafe { self.part(*item, place) };
                    match elements.next_element_seed(element)? {
                        Some(read) => written(read, place)?,
                        None => return Err(A::Error::invalid_length(new.len, &self)),
                    }
                    new.len += 1;
                }
                mem::forget(new);
                Ok(self.written())
            }
            _ => Err(A::Error::invalid_type(Unexpected::Seq, &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Written, A::Error> {
        let ValueShape::Map(map) = &self.of.shape else {
            return Err(A::Error::invalid_type(Unexpected::Map, &self));
        };
        let (key, value) = ((map.key)(), (map.value)());
        let mut new = NewCollection::new(&self, &map.collection, entries.size_hint(), &[key, value]);
        let (mut key_room, mut value_room) = (Room::new(key.layout), Room::new(value.layout));
        loop {
            // SAFETY: the room has the layout of a key.
            let new_key = unsafe { self.part(map.key, key_room.address()) };
            let Some(read) = entries.next_key_seed(new_key)? else { break };
            let new_key = read.at(key_room.address())?;
            // SAFETY: the room has the layout of a value.
            let new_value = unsafe { self.part(map.value, value_room.address()) };
            written(entries.next_value_seed(new_value)?, value_room.address())?;
            new_key.keep();
            // SAFETY: the key and the value were written.
            unsafe { new.push(key_room.address(), value_room.address()) }?;
        }
        Ok(new.keep())
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Written, A::Error> {
        let ValueShape::Enum(of) = &self.of.shape else {
            return Err(A::Error::invalid_type(Unexpected::Enum, &self));
        };
        let (number, content) = data.variant_seed(VariantName(of.names))?;
        let Some(variant) = of.variants.get(number) else {
            return Err(A::Error::unknown_variant("", of.names));
        };
        let (parts, mut addresses) = (&variant.parts, Addresses::default());
        let mut room = addresses.place(parts.fields);
        let addresses = addresses.of(&mut room);
        let place = || FieldPlace::Variant(addresses);
        let name =
            PartsName { of: of.name, variant: variant.name, style: parts.style, count: parts.names.len() };
        let fields = NewFields { parts, place: place(), name };
        let read = match parts.style {
            Style::Unit => content.unit_variant().map(|()| fields.start()),
            Style::Newtype => content.newtype_variant_seed(fields),
            Style::Tuple => content.tuple_variant(parts.names.len(), fields),
            Style::Named => content.struct_variant(parts.names, fields),
        };
        read?.of(parts, &place())?;
        // SAFETY: all fields of the variant were written.
        unsafe { (of.build)(number as u32, addresses, self.to) };
        Ok(self.written())
    }
}

/// A collection while it is read. It is dropped unless it is [kept](Self::keep).
struct NewCollection<'c> {
    of: &'c CollectionType,
    guard: Written,
    /// The memory of an element, beyond what the bytes of a file pay for.
    charge: u64,
}

impl<'c> NewCollection<'c> {
    /// An empty collection. `items` are the types of an element, or of a key and a value.
    fn new(
        value: &NewValue,
        of: &'c CollectionType,
        hint: Option<usize>,
        items: &[&'static ValueType],
    ) -> Self {
        let size: usize = items.iter().map(|item| item.layout.size()).sum();
        let fewest: u64 = items.iter().map(|item| item.fewest_bytes(8)).sum();
        // a hint comes from the file: it may not allocate more than a megabyte
        let room = hint.unwrap_or(0).min((1 << 20) / size.max(1));
        // SAFETY: the address of the value is valid for a write of the type.
        unsafe { (of.new)(room, value.to) };
        let charge = (size.max(1) as u64).saturating_sub(FOR_A_BYTE.saturating_mul(fewest));
        Self { of, guard: Written { of: value.of, to: value.to }, charge }
    }

    /// # Safety
    /// The addresses are those of an element, or of a key and a value, which are moved out.
    unsafe fn push<E: Error>(&mut self, first: *mut u8, second: *mut u8) -> Result<(), E> {
        // SAFETY: the guard has the address of the collection.
        unsafe { (self.of.push)(self.guard.to, first, second) };
        if self.charge > 0 {
            memory::charge(self.charge).map_err(E::custom)?;
        }
        Ok(())
    }

    fn keep(self) -> Written {
        self.guard
    }
}

/// An array while it is read: its first `len` elements are there.
struct NewArray {
    item: &'static ValueType,
    to: *mut u8,
    len: usize,
}

impl Drop for NewArray {
    fn drop(&mut self) {
        for at in 0..self.len {
            // SAFETY: the element was written, and the array is not used any more.
            unsafe { self.item.drop_value(self.to.add(at * self.item.layout.size())) };
        }
    }
}

/// The place of the fields of a struct or a variant.
enum FieldPlace<'a> {
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
struct Addresses {
    offsets: Vec<usize>,
    addresses: Vec<*mut u8>,
}

impl Addresses {
    /// Lays out the fields one after the other, and returns the memory for them.
    fn place(&mut self, fields: &[Field]) -> Room {
        let mut layout = core::alloc::Layout::new::<()>();
        for field in fields {
            let (more, offset) =
                layout.extend((field.of)().layout).expect("an enum has the memory of its fields");
            layout = more;
            self.offsets.push(offset);
        }
        Room::new(layout)
    }

    fn of(&mut self, room: &mut Room) -> &[*mut u8] {
        let start = room.address();
        // SAFETY: the offsets lie within the layout of the room.
        self.addresses.extend(self.offsets.iter().map(|&offset| unsafe { start.add(offset) }));
        &self.addresses
    }
}

/// The visitor of the fields of a struct or a variant.
struct NewFields<'a> {
    parts: &'static FieldList,
    place: FieldPlace<'a>,
    name: PartsName,
}

/// The name of a struct or a variant in messages, which is that of serde's derives.
#[derive(Clone, Copy)]
struct PartsName {
    /// The name of the type; empty for a tuple.
    of: &'static str,
    /// The name of the variant; empty for a struct.
    variant: &'static str,
    style: Style,
    count: usize,
}

impl fmt::Display for PartsName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, variant, style, count } = self;
        match (style, *of, *variant) {
            (_, "", _) => write!(f, "a tuple of size {count}"),
            (Style::Named | Style::Unit, _, "") => write!(f, "struct {of}"),
            (_, _, "") => write!(f, "tuple struct {of}"),
            (Style::Named | Style::Unit, ..) => write!(f, "struct variant {of}::{variant}"),
            _ => write!(f, "tuple variant {of}::{variant}"),
        }
    }
}

/// The proof that all fields at a place were written. Dropped, it drops them.
///
/// # Invariant
/// The fields whose bit is set are written.
struct WrittenFields<'a> {
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
    /// Consumes the proof that all fields of this place were written. From here on the caller owns them.
    fn of<E: Error>(self, parts: &'static FieldList, place: &FieldPlace<'_>) -> Result<(), E> {
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
            let (to, of) = (self.place.at(number, field), (field.of)());
            match (field.default, &of.shape) {
                // SAFETY: the address is that of memory for the field.
                (Some(default), _) => unsafe { default(to) },
                // SAFETY: as above.
                (None, ValueShape::Option(option)) => unsafe { (option.set)(ptr::null_mut(), to) },
                (None, ValueShape::Serde(by_serde)) => {
                    let mut missing = <dyn ReadForm<'_>>::of(MissingField);
                    // SAFETY: as above.
                    unsafe { (by_serde.read)(&mut missing, to) }.map_err(|_| E::missing_field(field.name))?;
                }
                (None, _) => return Err(E::missing_field(field.name)),
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

    /// Memory for a field.
    fn field(&self, number: usize, field: &Field) -> NewValue {
        // SAFETY: the address is that of memory for the field.
        unsafe { NewValue::new((field.of)(), self.place.at(number, field)) }
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
        let [field] = self.parts.fields else {
            return Err(D::Error::invalid_type(Unexpected::NewtypeStruct, &self));
        };
        written(self.field(0, field).deserialize(from)?, self.place.at(0, field))?;
        let mut fields = self.start();
        fields.set.set(0);
        Ok(fields)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<WrittenFields<'a>, A::Error> {
        let (parts, name) = (self.parts, self.name);
        let mut fields = self.start();
        let read = parts.fields.iter().enumerate().filter(|(_, field)| !field.skipped);
        for (count, (number, field)) in read.enumerate() {
            let to = fields.place.at(number, field);
            // SAFETY: the address is that of memory for the field.
            let new = unsafe { NewValue::new((field.of)(), to) };
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
        let parts = self.parts;
        let mut fields = self.start();
        let mut next = 0;
        while let Some(found) = entries.next_key_seed(FieldName { fields: parts.fields, next })? {
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
            let new = unsafe { NewValue::new((field.of)(), to) };
            written(entries.next_value_seed(new)?, to)?;
            fields.set.set(number);
            next = number + 1;
        }
        fields.complete()?;
        Ok(fields)
    }
}

/// The seed of the name of a field: its number, or `None` for a name that no field has.
struct FieldName {
    fields: &'static [Field],
    /// The number of the field that is expected.
    next: usize,
}

impl<'de> DeserializeSeed<'de> for FieldName {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Option<usize>, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for FieldName {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("field identifier")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Option<usize>, E> {
        let mut read = self.fields.iter().enumerate().filter(|(_, field)| !field.skipped);
        Ok(usize::try_from(number).ok().and_then(|number| read.nth(number)).map(|(number, _)| number))
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Option<usize>, E> {
        let is_it = |field: &Field| field.name == name && !field.skipped;
        if self.fields.get(self.next).is_some_and(is_it) {
            return Ok(Some(self.next));
        }
        Ok(self.fields.iter().position(is_it))
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<Option<usize>, E> {
        core::str::from_utf8(name).map_or(Ok(None), |name| self.visit_str(name))
    }
}

/// The seed of the name of a variant: its number.
struct VariantName(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for VariantName {
    type Value = usize;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<usize, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Visitor<'_> for VariantName {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("variant identifier")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<usize, E> {
        let count = self.0.len();
        let found = usize::try_from(number).ok().filter(|&number| number < count);
        found.ok_or_else(|| {
            let expected = format!("variant index 0 <= i < {count}");
            E::invalid_value(Unexpected::Unsigned(number), &&*expected)
        })
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<usize, E> {
        let found = self.0.iter().position(|variant| *variant == name);
        found.ok_or_else(|| E::unknown_variant(name, self.0))
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<usize, E> {
        self.visit_str(&String::from_utf8_lossy(name))
    }
}

/// The deserializer of a field that a file lacks: an option is `None`, and everything else is missing.
struct MissingField;

impl<'de> Deserializer<'de> for MissingField {
    type Error = FormError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, FormError> {
        Err(FormError::missing_field(""))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
        visitor.visit_none()
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}
