//! [`NewValue`]: memory that a described value is read into, from any format.
#![expect(
    unsafe_code,
    reason = "values are written to uninitialised memory, at the offsets of their description"
)]

use alloc::format;
use alloc::string::ToString;
use core::fmt;
use core::mem::{self, MaybeUninit};
use core::ptr;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};

use super::description::{FieldList, Reflect, Style, TypeOf, ValueShape, ValueType};
use super::names::{NameSeed, PartsName};
use super::new_collection::{Element, NewArray, NewCollection};
use super::new_fields::{Addresses, FieldPlace, NewFields};
use super::room::Room;
use crate::entity::Entity;
use crate::persist::erased::exact::{ReadStyle, unescaped};
use crate::persist::erased::read::DeserializerForm;
use crate::persist::erased::{FormError, ReadForm};
use crate::value::scalar::ScalarType;

/// Memory for a value of a type, which is read into it. It is the seed and the visitor of the
/// value.
///
/// # Invariant
/// `to` is valid for a write of the type.
pub struct NewValue {
    of: &'static ValueType,
    pub(super) to: *mut u8,
    style: ReadStyle,
}

/// The proof that a value was written to an address. Only [`NewValue`] makes it, so that a
/// deserializer which returns without having called its visitor cannot pass off uninitialised
/// memory as a value.
///
/// It owns the value until it is [kept](Self::keep), so that a format which reports an error after
/// its visitor has returned leaves nothing behind.
///
/// # Invariant
/// `to` is the address of a value of the type, which nobody else drops.
pub struct Written {
    of: &'static ValueType,
    pub(super) to: *mut u8,
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
        Self { of, to, style: ReadStyle::PLAIN }
    }

    /// The memory, into which a value is read in this style: see
    /// [`exact`](crate::persist::erased::exact).
    pub(crate) fn styled(self, style: ReadStyle) -> Self {
        Self { style, ..self }
    }

    /// Reads the value. After an error there is none.
    ///
    /// # Errors
    /// Those of the format, and those of the functions that refuse values.
    pub(crate) fn read<'de, D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.finish(|new| new.deserialize(deserializer))
    }

    /// [`read`](Self::read) from a form. A type that serde reads gets the form itself, not a form
    /// that forwards to it.
    ///
    /// # Errors
    /// As for `read`.
    pub(crate) fn read_form(self, form: &mut dyn ReadForm<'_>) -> Result<(), FormError> {
        match &self.of.shape {
            // SAFETY: the address is valid for a write of the type, by the invariant.
            ValueShape::Serde(by_serde) => unsafe { (by_serde.read)(form, self.to) },
            _ => self.finish(|new| form.read_new(new).unwrap_or_else(|new| new.by_form(form))),
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

    /// Memory for what the value stands for, or the value for.
    ///
    /// # Safety
    /// The address is valid for a write of the type.
    unsafe fn content(&self, of: TypeOf, to: *mut u8, style: ReadStyle) -> Self {
        Self { of: of(), to, style }
    }

    /// Memory for a part of the value.
    ///
    /// # Safety
    /// The address is valid for a write of the type.
    unsafe fn part(&self, of: &'static ValueType, to: *mut u8) -> Self {
        Self { of, to, style: self.style.of_part() }
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
    pub(super) fn written(self) -> Written {
        Written { of: self.of, to: self.to }
    }

    /// Reads the value from a form. The function is not generic, so that it is compiled with the
    /// library.
    ///
    /// # Errors
    /// As for `read`.
    pub(crate) fn by_form(self, form: &mut dyn ReadForm<'_>) -> Result<Written, FormError> {
        self.deserialize(form)
    }

    /// Reads the value through the form of a deserializer, so that nothing but the form is compiled
    /// for it.
    pub(super) fn through_form<'de, D: Deserializer<'de>>(self, from: D) -> Result<Written, D::Error> {
        let mut form = DeserializerForm::styled(from, self.style);
        let read = self.styled(ReadStyle::PLAIN).by_form(&mut form);
        read.map_err(|error| form.error(error))
    }

    /// Writes an integer that a format has given. `found` describes it for an error.
    fn integer<E: Error>(self, value: i128, found: Unexpected<'_>) -> Result<Written, E> {
        macro_rules! put {
            ($ty:ty) => {
                match <$ty>::try_from(value) {
                    // SAFETY: the description says that the value is such a number.
                    Ok(value) => Ok(unsafe { self.put(value) }),
                    Err(_) => Err(E::invalid_value(found, &self)),
                }
            };
        }
        match self.of.shape {
            ValueShape::Scalar(ScalarType::U8) => put!(u8),
            ValueShape::Scalar(ScalarType::U16) => put!(u16),
            ValueShape::Scalar(ScalarType::U32) => put!(u32),
            ValueShape::Scalar(ScalarType::U64) => put!(u64),
            ValueShape::Scalar(ScalarType::U128) => put!(u128),
            ValueShape::Usize => put!(usize),
            ValueShape::Scalar(ScalarType::I8) => put!(i8),
            ValueShape::Scalar(ScalarType::I16) => put!(i16),
            ValueShape::Scalar(ScalarType::I32) => put!(i32),
            ValueShape::Scalar(ScalarType::I64) => put!(i64),
            ValueShape::Scalar(ScalarType::I128) => put!(i128),
            ValueShape::Isize => put!(isize),
            // SAFETY: as above.
            ValueShape::Scalar(ScalarType::F32) => Ok(unsafe { self.put(value as f32) }),
            // SAFETY: as above.
            ValueShape::Scalar(ScalarType::F64) => Ok(unsafe { self.put(value as f64) }),
            _ => Err(E::invalid_type(found, &self)),
        }
    }

    /// Writes an integer of a type of 128 bits, which others refuse as serde's types do.
    fn long_integer<E: Error>(self, value: Result<i128, u128>, ty: &str) -> Result<Written, E> {
        match (&self.of.shape, value) {
            (ValueShape::Scalar(ScalarType::U128 | ScalarType::I128), Ok(value)) => {
                self.integer(value, Unexpected::Other(ty))
            }
            // SAFETY: the description says that the value is such a number.
            (ValueShape::Scalar(ScalarType::U128), Err(value)) => Ok(unsafe { self.put(value) }),
            (ValueShape::Scalar(ScalarType::I128), Err(_)) => {
                Err(E::invalid_value(Unexpected::Other(ty), &self))
            }
            (_, value) => {
                let value = value.map_or_else(|value| value.to_string(), |value| value.to_string());
                let found = format!("integer `{value}` as {ty}");
                Err(E::invalid_type(Unexpected::Other(&found), &self))
            }
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
        let fields = NewFields { parts, place: FieldPlace::Struct(to), name: of_parts, style: self.style };
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

/// Reads the id of an entity. The function is not generic, so that it is compiled with the library.
fn read_entity(form: &mut dyn ReadForm<'_>) -> Result<Entity, FormError> {
    Entity::deserialize(form)
}

/// Checks that a value was written to this address. From here on the caller owns it.
pub(super) fn written<E: Error>(written: Written, to: *mut u8) -> Result<(), E> {
    written.at(to).map(Written::keep)
}

/// Takes the proof that an element was written to this address. From here on the caller owns the
/// element.
fn moved<E: Error>(read: &mut Option<Written>, to: *mut u8) -> Result<(), E> {
    written(read.take().ok_or_else(|| E::custom("the format has not read a value"))?, to)
}

impl Written {
    /// Checks that the value was written to this address.
    fn at<E: Error>(self, to: *mut u8) -> Result<Self, E> {
        match ptr::eq(self.to, to) {
            true => Ok(self),
            false => Err(E::custom("the format has mixed up two values")),
        }
    }

    /// The proof for a value at this address.
    ///
    /// # Safety
    /// There is a value of the type, which nobody else drops.
    pub(super) unsafe fn new(of: &'static ValueType, to: *mut u8) -> Self {
        Self { of, to }
    }

    /// Leaves the value to the caller.
    pub(super) fn keep(self) {
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
        let (to, style) = (self.to, self.style);
        // there may be text for the value
        let is_text = match of.shape {
            ValueShape::Option(_) | ValueShape::Unit(_) => style.may_be_content(),
            ValueShape::Scalar(ty) => style.is_exact && ty.is_float(),
            _ => false,
        };
        if is_text {
            return self.through_form(from);
        }
        // SAFETY: the values that are put are of the described type.
        let read = unsafe {
            match &of.shape {
                ValueShape::Scalar(ty) => ty.ask(from, self)?,
                ValueShape::Usize => from.deserialize_u64(self)?,
                ValueShape::Isize => from.deserialize_i64(self)?,
                ValueShape::Undescribed => {
                    return Err(D::Error::custom("a field that is skipped cannot be read"));
                }
                ValueShape::Unit("") => from.deserialize_unit(self)?,
                ValueShape::Unit(name) => from.deserialize_unit_struct(name, self)?,
                ValueShape::Entity => {
                    let mut form = DeserializerForm::styled(from, style);
                    self.put(read_entity(&mut form).map_err(|error| form.error(error))?)
                }
                ValueShape::Text(_) => from.deserialize_string(self)?,
                ValueShape::Option(_) => from.deserialize_option(self)?,
                ValueShape::Wrapper(wrapper) => {
                    let mut room = Room::new((wrapper.item)().layout);
                    let content = room.address();
                    self.content(wrapper.item, content, style).read(from)?;
                    (wrapper.set)(content, to);
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
                    let mut form = DeserializerForm::styled(from, style);
                    (by_serde.read)(&mut form, to).map_err(|error| form.error(error))?;
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
            ValueShape::Scalar(ScalarType::Bool) => f.write_str("a boolean"),
            ValueShape::Scalar(ScalarType::Char) => f.write_str("a character"),
            ValueShape::Scalar(number) => f.write_str(number.name()),
            ValueShape::Usize => f.write_str("usize"),
            ValueShape::Isize => f.write_str("isize"),
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

    fn visit_bool<E: Error>(self, value: bool) -> Result<Written, E> {
        match &self.of.shape {
            // SAFETY: the description says that the value is a `bool`.
            ValueShape::Scalar(ScalarType::Bool) => Ok(unsafe { self.put(value) }),
            _ => Err(E::invalid_type(Unexpected::Bool(value), &self)),
        }
    }

    fn visit_char<E: Error>(self, value: char) -> Result<Written, E> {
        match &self.of.shape {
            // SAFETY: the description says that the value is a `char`.
            ValueShape::Scalar(ScalarType::Char) => Ok(unsafe { self.put(value) }),
            _ => self.visit_str(value.encode_utf8(&mut [0; 4])),
        }
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Written, E> {
        self.integer(value.into(), Unexpected::Signed(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Written, E> {
        self.integer(value.into(), Unexpected::Unsigned(value))
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Written, E> {
        self.long_integer(Ok(value), "i128")
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Written, E> {
        self.long_integer(i128::try_from(value).map_err(|_| value), "u128")
    }

    fn visit_f32<E: Error>(self, value: f32) -> Result<Written, E> {
        match &self.of.shape {
            // SAFETY: the description says that the value is an `f32`. Its bits are kept.
            ValueShape::Scalar(ScalarType::F32) => Ok(unsafe { self.put(value) }),
            _ => self.visit_f64(f64::from(value)),
        }
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Written, E> {
        match &self.of.shape {
            // SAFETY: the description says that the value is such a number.
            ValueShape::Scalar(ScalarType::F32) => Ok(unsafe { self.put(value as f32) }),
            // SAFETY: as above.
            ValueShape::Scalar(ScalarType::F64) => Ok(unsafe { self.put(value) }),
            _ => Err(E::invalid_type(Unexpected::Float(value), &self)),
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
        let item = room.address();
        // SAFETY: the room has the layout of the content, which `read` writes and `set` moves away.
        unsafe {
            self.content(option.item, item, self.style.within_some()).read(content)?;
            (option.set)(item, self.to);
        }
        Ok(self.written())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Written, E> {
        match &self.of.shape {
            ValueShape::Text(of) => {
                let text = if self.style.is_exact { unescaped(text) } else { text };
                // SAFETY: the address is valid for a write of the type.
                unsafe { (of.set)(text, self.to) };
                Ok(self.written())
            }
            ValueShape::Scalar(ScalarType::Char) => {
                let mut letters = text.chars();
                match (letters.next(), letters.next()) {
                    (Some(letter), None) => self.visit_char(letter),
                    _ => Err(E::invalid_value(Unexpected::Str(text), &self)),
                }
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
                let (item, style) = ((list.item)(), self.style.of_part());
                let mut new = NewCollection::new(self, &list.collection, elements.size_hint(), &[item]);
                let mut room = Room::new(item.layout);
                let (place, mut read) = (room.address(), None);
                // SAFETY: the room has the layout of an element.
                let element = || unsafe { NewValue::new(item, place) }.styled(style);
                while elements
                    .next_element_seed(Element::<false> { new: element(), read: &mut read })?
                    .is_some()
                {
                    moved(&mut read, place)?;
                    // SAFETY: the element was written.
                    unsafe { new.push(place, ptr::null_mut()) }?;
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
                    let element = unsafe { self.part(item_type, place) };
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
        let (key, value, style) = ((map.key)(), (map.value)(), self.style.of_part());
        let mut new = NewCollection::new(self, &map.collection, entries.size_hint(), &[key, value]);
        let (mut key_room, mut value_room) = (Room::new(key.layout), Room::new(value.layout));
        let (key_place, value_place) = (key_room.address(), value_room.address());
        let (mut key_read, mut value_read) = (None, None);
        // SAFETY: the rooms have the layouts of a key and a value.
        let at = |of, place| unsafe { NewValue::new(of, place) }.styled(style);
        while entries
            .next_key_seed(Element::<true> { new: at(key, key_place), read: &mut key_read })?
            .is_some()
        {
            let element = Element::<false> { new: at(value, value_place), read: &mut value_read };
            entries.next_value_seed(element)?;
            moved(&mut value_read, value_place)?;
            moved(&mut key_read, key_place)?;
            // SAFETY: the key and the value were written.
            unsafe { new.push(key_place, value_place) }?;
        }
        Ok(new.keep())
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Written, A::Error> {
        let ValueShape::Enum(of) = &self.of.shape else {
            return Err(A::Error::invalid_type(Unexpected::Enum, &self));
        };
        let (number, content) = data.variant_seed(NameSeed::Variant(of.names))?;
        let Some((number, variant)) = number.and_then(|number| Some((number, of.variants.get(number)?)))
        else {
            return Err(A::Error::unknown_variant("", of.names));
        };
        let (parts, mut addresses) = (&variant.parts, Addresses::default());
        let mut room = addresses.place(parts.fields);
        let addresses = addresses.of(&mut room);
        let place = || FieldPlace::Variant(addresses);
        let name =
            PartsName { of: of.name, variant: variant.name, style: parts.style, count: parts.names.len() };
        let fields = NewFields { parts, place: place(), name, style: self.style.of_part() };
        let read = match parts.style {
            // a unit variant has no fields but those that are skipped
            Style::Unit => content.unit_variant().and_then(|()| fields.defaults()),
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
