//! Whether all floating point numbers of a value are finite, and none of them may be written as text.

use core::fmt;

use serde::ser::{self, Serialize, Serializer};

/// Returns `true` if all floating point numbers of a value are finite, and no text of the value reads as a number: a `Serialize` that is written by
/// hand may write text where `Deserialize` requests a number, which a format refuses. Returns `false` also if the `Serialize` returns an error, which
/// is reported when the value is written.
pub(crate) fn is_finite<T: Serialize + ?Sized>(value: &T) -> bool {
    value.serialize(Check).is_ok()
}

/// A serializer that returns an error for a number that is not finite, and writes nothing.
struct Check;

/// The check has ended: a number is not finite, text reads as a number, or a value cannot be written.
#[derive(Debug)]
struct Stopped;

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number is not finite, or is text")
    }
}

/// Accepts text that is not read as a number.
#[inline]
fn text(text: &str) -> Result<(), Stopped> {
    // most texts begin with a byte with which no number begins
    let may_be_number = text.as_bytes().first().is_some_and(|first| b"+-.0123456789iInN".contains(first));
    if may_be_number && text.parse::<f64>().is_ok() { Err(Stopped) } else { Ok(()) }
}

impl core::error::Error for Stopped {}

impl ser::Error for Stopped {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

macro_rules! accepted {
    ($($name:ident($($argument:ident: $ty:ty),*);)*) => {$(
        #[inline]
        fn $name(self, $($argument: $ty),*) -> Result<(), Stopped> {
            Ok(())
        }
    )*};
}

macro_rules! begun {
    ($($name:ident($($argument:ident: $ty:ty),*);)*) => {$(
        #[inline]
        fn $name(self, $($argument: $ty),*) -> Result<Self, Stopped> {
            Ok(Self)
        }
    )*};
}

impl Serializer for Check {
    type Ok = ();
    type Error = Stopped;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    accepted! {
        serialize_bool(_value: bool); serialize_i8(_value: i8); serialize_i16(_value: i16); serialize_i32(_value: i32);
        serialize_i64(_value: i64); serialize_i128(_value: i128); serialize_u8(_value: u8); serialize_u16(_value: u16);
        serialize_u32(_value: u32); serialize_u64(_value: u64); serialize_u128(_value: u128); serialize_bytes(_value: &[u8]); serialize_none(); serialize_unit();
        serialize_unit_struct(_name: &'static str);
    }

    begun! {
        serialize_seq(_len: Option<usize>);
        serialize_tuple(_len: usize);
        serialize_tuple_struct(_name: &'static str, _len: usize);
        serialize_tuple_variant(_name: &'static str, _index: u32, _variant: &'static str, _len: usize);
        serialize_map(_len: Option<usize>);
        serialize_struct(_name: &'static str, _len: usize);
        serialize_struct_variant(_name: &'static str, _index: u32, _variant: &'static str, _len: usize);
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<(), Stopped> {
        if value.is_finite() { Ok(()) } else { Err(Stopped) }
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<(), Stopped> {
        if value.is_finite() { Ok(()) } else { Err(Stopped) }
    }

    fn serialize_char(self, value: char) -> Result<(), Stopped> {
        text(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<(), Stopped> {
        text(value)
    }

    #[inline]
    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<(), Stopped> {
        text(variant)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Stopped> {
        value.serialize(self)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<(), Stopped> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        value: &T,
    ) -> Result<(), Stopped> {
        value.serialize(self)
    }
}

macro_rules! elements {
    ($($of_trait:ident $method:ident;)*) => {$(
        impl ser::$of_trait for Check {
            type Ok = ();
            type Error = Stopped;
            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stopped> {
                value.serialize(Self)
            }
            fn end(self) -> Result<(), Stopped> {
                Ok(())
            }
        }
    )*};
}

elements! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
}

macro_rules! fields {
    ($($of_trait:ident)*) => {$(
        impl ser::$of_trait for Check {
            type Ok = ();
            type Error = Stopped;
            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(&mut self, _name: &'static str, value: &T) -> Result<(), Stopped> {
                value.serialize(Self)
            }
            fn end(self) -> Result<(), Stopped> {
                Ok(())
            }
        }
    )*};
}

fields!(SerializeStruct SerializeStructVariant);

impl ser::SerializeMap for Check {
    type Ok = ();
    type Error = Stopped;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Stopped> {
        key.serialize(Self)
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Stopped> {
        value.serialize(Self)
    }
    fn end(self) -> Result<(), Stopped> {
        Ok(())
    }
}
