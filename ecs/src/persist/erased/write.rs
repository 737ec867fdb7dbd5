//! [`ErasedSerialize`] and [`WriteForm`]: a value and a serializer without their types.

use core::mem;

use serde::Serialize;
use serde::ser::{
    Error as _, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};

use super::FormError;
use super::exact::{Nothing, text_for};
use crate::persist::serialized_parts::serializes_parts;
use crate::value::scalar::Scalar;
use crate::value::serialize::ValueRef;

/// A value that is written in a format that is chosen at run time.
pub trait ErasedSerialize {
    /// Writes the value.
    fn write(&self, form: &mut dyn WriteForm) -> Result<(), FormError>;
}

impl<T: Serialize + ?Sized> ErasedSerialize for T {
    fn write(&self, form: &mut dyn WriteForm) -> Result<(), FormError> {
        self.serialize(form)
    }
}

impl FormPart<'_> {
    /// Writes the part as a value of its own. No text stands for numbers or for nothing, since the
    /// form is not a format.
    pub(crate) fn write(&self, form: &mut dyn WriteForm) -> Result<(), FormError> {
        match *self {
            Self::Leaf(leaf) => form.leaf(leaf),
            Self::Value(value) => value.write(form),
            Self::Described(value) => value.exact(false).serialize(form),
        }
    }
}

/// A value without parts.
#[derive(Clone, Copy)]
pub enum Leaf<'v> {
    Scalar(Scalar),
    Str(&'v str),
    Bytes(&'v [u8]),
    None,
    Unit,
    UnitStruct(&'static str),
    UnitVariant(&'static str, u32, &'static str),
}

/// A value with one part, which is given with it.
#[derive(Clone, Copy)]
pub enum Wrapper {
    Some,
    NewtypeStruct(&'static str),
    NewtypeVariant(&'static str, u32, &'static str),
}

/// A value whose parts follow one by one. The last number is that of the parts.
#[derive(Clone, Copy)]
pub enum Composite {
    Seq(Option<usize>),
    Tuple(usize),
    TupleStruct(&'static str, usize),
    TupleVariant(&'static str, u32, &'static str, usize),
    Map(Option<usize>),
    Struct(&'static str, usize),
    StructVariant(&'static str, u32, &'static str, usize),
}

/// The place of a part in a composite.
#[derive(Clone, Copy)]
pub(crate) enum PartPlace {
    /// The next element of a sequence, or of a composite without names.
    Element,
    Field(&'static str),
    Key,
    Value,
}

/// A part of a value. One that is known to have no parts itself is written without a call of its
/// own.
#[derive(Clone, Copy)]
pub enum FormPart<'v> {
    Leaf(Leaf<'v>),
    Value(&'v dyn ErasedSerialize),
    /// A value that is taken apart by its description, directly for the format.
    Described(ValueRef<'v>),
}

/// A serializer without its type. It writes one value: a leaf, a wrapper with its part, or a
/// composite from `begin` to `end`.
pub trait WriteForm {
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), FormError>;
    fn wrap(&mut self, wrapper: Wrapper, part: FormPart<'_>) -> Result<(), FormError>;
    fn begin(&mut self, composite: Composite) -> Result<(), FormError>;
    /// Writes the next element of a composite without names.
    fn element(&mut self, element: FormPart<'_>) -> Result<(), FormError>;
    /// Writes the next field of a struct.
    fn field(&mut self, name: &'static str, field: FormPart<'_>) -> Result<(), FormError>;
    fn key(&mut self, key: FormPart<'_>) -> Result<(), FormError>;
    fn value(&mut self, value: FormPart<'_>) -> Result<(), FormError>;
    /// Leaves out the next field of a struct.
    fn skip(&mut self, _name: &'static str) -> Result<(), FormError> {
        Ok(())
    }
    fn end(&mut self) -> Result<(), FormError>;
    fn is_human_readable(&self) -> bool {
        true
    }
}

impl dyn WriteForm + '_ {
    /// Writes the next entry of a map.
    pub(crate) fn entry(&mut self, key: FormPart<'_>, value: FormPart<'_>) -> Result<(), FormError> {
        self.key(key)?;
        self.value(value)
    }

    /// Writes the next part of a composite.
    #[inline]
    fn part(&mut self, place: PartPlace, part: FormPart<'_>) -> Result<(), FormError> {
        match place {
            PartPlace::Element => self.element(part),
            PartPlace::Field(name) => self.field(name, part),
            PartPlace::Key => self.key(part),
            PartPlace::Value => self.value(part),
        }
    }
}

/// Implements the methods of a [`WriteForm`] for parts by one, `part(&mut self, place, part)`.
macro_rules! writes_parts_alike {
    () => {
        fn element(&mut self, element: FormPart<'_>) -> Result<(), FormError> {
            self.part(PartPlace::Element, element)
        }

        fn field(&mut self, name: &'static str, field: FormPart<'_>) -> Result<(), FormError> {
            self.part(PartPlace::Field(name), field)
        }

        fn key(&mut self, key: FormPart<'_>) -> Result<(), FormError> {
            self.part(PartPlace::Key, key)
        }

        fn value(&mut self, value: FormPart<'_>) -> Result<(), FormError> {
            self.part(PartPlace::Value, value)
        }
    };
}
pub(crate) use writes_parts_alike;

impl Serialize for dyn ErasedSerialize + '_ {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WrittenPart::<false>::new(FormPart::Value(self), false).serialize(serializer)
    }
}

/// A value that is written exactly, in a human-readable format: see [`exact`](super::exact).
pub(crate) struct ExactValue<'v>(pub(crate) &'v dyn ErasedSerialize);

impl Serialize for ExactValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        WrittenPart::<false>::new(FormPart::Value(self.0), true).serialize(serializer)
    }
}

/// A value or a part of one, and whether it is written exactly. With `IS_KEY` it is the key of a
/// map, for which formats have a serializer of their own: the code of described values is not
/// compiled for it.
pub(crate) struct WrittenPart<'v, const IS_KEY: bool = false> {
    part: FormPart<'v>,
    is_exact: bool,
}

impl<'v, const IS_KEY: bool> WrittenPart<'v, IS_KEY> {
    pub(crate) fn new(part: FormPart<'v>, is_exact: bool) -> Self {
        Self { part, is_exact }
    }
}

impl<const IS_KEY: bool> Serialize for WrittenPart<'_, IS_KEY> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.part {
            FormPart::Leaf(leaf) => return write_leaf(leaf, self.is_exact, serializer),
            FormPart::Described(value) => {
                if const { !IS_KEY } {
                    return value.exact(self.is_exact).serialize(serializer);
                }
            }
            FormPart::Value(_) => {}
        }
        let is_human_readable = serializer.is_human_readable();
        let state = WriteState::Ready(serializer);
        let mut form = SerializerForm::<S, IS_KEY> { state, is_human_readable, is_exact: self.is_exact };
        let written = self.part.write(&mut form);
        match (form.state, written) {
            (WriteState::Done(Err(error)), _) => Err(error),
            (_, Err(error)) => Err(S::Error::custom(error)),
            (WriteState::Done(Ok(done)), Ok(())) => Ok(done),
            (_, Ok(())) => Err(S::Error::custom("a value was not written to its end")),
        }
    }
}

/// Writes a value without parts.
pub(crate) fn write_leaf<S: Serializer>(leaf: Leaf<'_>, is_exact: bool, to: S) -> Result<S::Ok, S::Error> {
    if is_exact && let Some(text) = text_for(leaf) {
        return to.serialize_str(&text);
    }
    match leaf {
        Leaf::Scalar(value) => value.write(to),
        Leaf::Str(value) => to.serialize_str(value),
        Leaf::Bytes(value) => to.serialize_bytes(value),
        Leaf::None => to.serialize_none(),
        Leaf::Unit => to.serialize_unit(),
        Leaf::UnitStruct(name) => to.serialize_unit_struct(name),
        Leaf::UnitVariant(name, index, variant) => to.serialize_unit_variant(name, index, variant),
    }
}

/// The [`WriteForm`] of a serializer.
struct SerializerForm<S: Serializer, const IS_KEY: bool> {
    state: WriteState<S>,
    is_human_readable: bool,
    is_exact: bool,
}

enum WriteState<S: Serializer> {
    Ready(S),
    Seq(S::SerializeSeq),
    Tuple(S::SerializeTuple),
    TupleStruct(S::SerializeTupleStruct),
    TupleVariant(S::SerializeTupleVariant),
    Map(S::SerializeMap),
    Struct(S::SerializeStruct),
    StructVariant(S::SerializeStructVariant),
    /// The value is written, or the serializer has refused it.
    Done(Result<S::Ok, S::Error>),
    Taken,
}

/// The error while the serializer's own error is kept in [`WriteState::Done`].
fn kept() -> FormError {
    FormError::text("the serializer refused the value")
}

impl<S: Serializer, const IS_KEY: bool> SerializerForm<S, IS_KEY> {
    fn serializer(&mut self) -> Result<S, FormError> {
        match mem::replace(&mut self.state, WriteState::Taken) {
            WriteState::Ready(serializer) => Ok(serializer),
            _ => Err(FormError::used()),
        }
    }

    fn finish(&mut self, result: Result<S::Ok, S::Error>) -> Result<(), FormError> {
        let failed = result.is_err();
        self.state = WriteState::Done(result);
        if failed { Err(kept()) } else { Ok(()) }
    }

    fn checked(&mut self, result: Result<(), S::Error>) -> Result<(), FormError> {
        match result {
            Ok(()) => Ok(()),
            Err(error) => self.finish(Err(error)),
        }
    }
}

impl<S: Serializer, const IS_KEY: bool> WriteForm for SerializerForm<S, IS_KEY> {
    fn leaf(&mut self, leaf: Leaf<'_>) -> Result<(), FormError> {
        let result = write_leaf(leaf, self.is_exact, self.serializer()?);
        self.finish(result)
    }

    fn wrap(&mut self, wrapper: Wrapper, part: FormPart<'_>) -> Result<(), FormError> {
        let (to, written) = (self.serializer()?, WrittenPart::<IS_KEY>::new(part, self.is_exact));
        let result = match wrapper {
            Wrapper::Some => match if self.is_exact { Nothing::of(part) } else { None } {
                Some(nothing) => to.serialize_some(&nothing),
                None => to.serialize_some(&written),
            },
            Wrapper::NewtypeStruct(name) => to.serialize_newtype_struct(name, &written),
            Wrapper::NewtypeVariant(name, index, variant) => {
                to.serialize_newtype_variant(name, index, variant, &written)
            }
        };
        self.finish(result)
    }

    fn begin(&mut self, composite: Composite) -> Result<(), FormError> {
        let to = self.serializer()?;
        let state = match composite {
            Composite::Seq(length) => to.serialize_seq(length).map(WriteState::Seq),
            Composite::Tuple(length) => to.serialize_tuple(length).map(WriteState::Tuple),
            Composite::TupleStruct(name, length) => {
                to.serialize_tuple_struct(name, length).map(WriteState::TupleStruct)
            }
            Composite::TupleVariant(name, index, variant, length) => {
                to.serialize_tuple_variant(name, index, variant, length).map(WriteState::TupleVariant)
            }
            Composite::Map(length) => to.serialize_map(length).map(WriteState::Map),
            Composite::Struct(name, length) => to.serialize_struct(name, length).map(WriteState::Struct),
            Composite::StructVariant(name, index, variant, length) => {
                to.serialize_struct_variant(name, index, variant, length).map(WriteState::StructVariant)
            }
        };
        let started = state.map(|state| self.state = state);
        self.checked(started)
    }

    fn element(&mut self, element: FormPart<'_>) -> Result<(), FormError> {
        let written = WrittenPart::<IS_KEY>::new(element, self.is_exact);
        let result = match &mut self.state {
            WriteState::Seq(parts) => parts.serialize_element(&written),
            WriteState::Tuple(parts) => parts.serialize_element(&written),
            WriteState::TupleStruct(parts) => parts.serialize_field(&written),
            WriteState::TupleVariant(parts) => parts.serialize_field(&written),
            _ => return Err(FormError::used()),
        };
        self.checked(result)
    }

    fn field(&mut self, name: &'static str, field: FormPart<'_>) -> Result<(), FormError> {
        let written = WrittenPart::<IS_KEY>::new(field, self.is_exact);
        let result = match &mut self.state {
            WriteState::Struct(parts) => parts.serialize_field(name, &written),
            WriteState::StructVariant(parts) => parts.serialize_field(name, &written),
            _ => return Err(FormError::used()),
        };
        self.checked(result)
    }

    fn key(&mut self, key: FormPart<'_>) -> Result<(), FormError> {
        let written = WrittenPart::<true>::new(key, self.is_exact);
        let WriteState::Map(parts) = &mut self.state else { return Err(FormError::used()) };
        let result = parts.serialize_key(&written);
        self.checked(result)
    }

    fn value(&mut self, value: FormPart<'_>) -> Result<(), FormError> {
        let written = WrittenPart::<IS_KEY>::new(value, self.is_exact);
        let WriteState::Map(parts) = &mut self.state else { return Err(FormError::used()) };
        let result = parts.serialize_value(&written);
        self.checked(result)
    }

    fn skip(&mut self, name: &'static str) -> Result<(), FormError> {
        let result = match &mut self.state {
            WriteState::Struct(parts) => parts.skip_field(name),
            WriteState::StructVariant(parts) => parts.skip_field(name),
            _ => return Err(FormError::used()),
        };
        self.checked(result)
    }

    fn end(&mut self) -> Result<(), FormError> {
        let result = match mem::replace(&mut self.state, WriteState::Taken) {
            WriteState::Seq(parts) => parts.end(),
            WriteState::Tuple(parts) => parts.end(),
            WriteState::TupleStruct(parts) => parts.end(),
            WriteState::TupleVariant(parts) => parts.end(),
            WriteState::Map(parts) => parts.end(),
            WriteState::Struct(parts) => parts.end(),
            WriteState::StructVariant(parts) => parts.end(),
            WriteState::Ready(_) | WriteState::Done(_) | WriteState::Taken => return Err(FormError::used()),
        };
        self.finish(result)
    }

    fn is_human_readable(&self) -> bool {
        self.is_human_readable
    }
}

macro_rules! scalars {
    ($($name:ident $scalar:ident: $ty:ty),*) => {$(
        fn $name(self, value: $ty) -> Result<(), FormError> {
            self.leaf(Leaf::Scalar(Scalar::$scalar(value)))
        }
    )*};
}

/// Methods of a serializer for leaves, for values with one part, and for composites. An argument
/// that serde gives is one of the form's value.
macro_rules! values {
    ($($name:ident($($argument:ident: $ty:ty),*) -> leaf $leaf:expr;)*) => {$(
        fn $name(self, $($argument: $ty),*) -> Result<(), FormError> {
            self.leaf($leaf)
        }
    )*};
    ($($name:ident($($argument:ident: $ty:ty),*) -> wrap $wrapper:expr;)*) => {$(
        fn $name<T: Serialize + ?Sized>(self, $($argument: $ty,)* value: &T) -> Result<(), FormError> {
            self.wrap($wrapper, FormPart::Value(&value))
        }
    )*};
    ($($name:ident($($argument:ident: $ty:ty),*) -> begin $composite:expr;)*) => {$(
        fn $name(self, $($argument: $ty),*) -> Result<Self, FormError> {
            self.begin($composite)?;
            Ok(self)
        }
    )*};
}

impl Serializer for &mut (dyn WriteForm + '_) {
    type Ok = ();
    type Error = FormError;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    scalars! {
        serialize_bool Bool: bool, serialize_i8 I8: i8, serialize_i16 I16: i16, serialize_i32 I32: i32,
        serialize_i64 I64: i64, serialize_i128 I128: i128, serialize_u8 U8: u8, serialize_u16 U16: u16,
        serialize_u32 U32: u32, serialize_u64 U64: u64, serialize_u128 U128: u128, serialize_f32 F32: f32,
        serialize_f64 F64: f64, serialize_char Char: char
    }
    values! {
        serialize_str(value: &str) -> leaf Leaf::Str(value);
        serialize_bytes(value: &[u8]) -> leaf Leaf::Bytes(value);
        serialize_none() -> leaf Leaf::None;
        serialize_unit() -> leaf Leaf::Unit;
        serialize_unit_struct(name: &'static str) -> leaf Leaf::UnitStruct(name);
        serialize_unit_variant(name: &'static str, index: u32, variant: &'static str) -> leaf Leaf::UnitVariant(name, index, variant);
    }
    values! {
        serialize_some() -> wrap Wrapper::Some;
        serialize_newtype_struct(name: &'static str) -> wrap Wrapper::NewtypeStruct(name);
        serialize_newtype_variant(name: &'static str, index: u32, variant: &'static str)
            -> wrap Wrapper::NewtypeVariant(name, index, variant);
    }
    values! {
        serialize_seq(length: Option<usize>) -> begin Composite::Seq(length);
        serialize_tuple(length: usize) -> begin Composite::Tuple(length);
        serialize_tuple_struct(name: &'static str, length: usize) -> begin Composite::TupleStruct(name, length);
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, length: usize)
            -> begin Composite::TupleVariant(name, index, variant, length);
        serialize_map(length: Option<usize>) -> begin Composite::Map(length);
        serialize_struct(name: &'static str, length: usize) -> begin Composite::Struct(name, length);
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, length: usize)
            -> begin Composite::StructVariant(name, index, variant, length);
    }

    fn is_human_readable(&self) -> bool {
        (**self).is_human_readable()
    }
}

serializes_parts!([] ['f] &mut (dyn WriteForm + 'f): (), FormError;
    (|form, place, value| form.part(place, FormPart::Value(&value)))
    (|form| (*form).end())
    (|form, name| form.skip(name))
);
