//! Writing floating point numbers exactly.

use alloc::borrow::Cow;
use alloc::format;

use serde::ser::{self, Serialize, Serializer};

use super::nothing::Nothing;
use super::{Special, is_escaped};

/// A wrapper of a serializer, or of a value that is passed to one.
pub(crate) struct Exact<T>(pub(crate) T);

impl<T: Serialize + ?Sized> Serialize for Exact<&T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(Exact(serializer))
    }
}

/// Writes a number that JSON lacks. A function of its own, so that the common case is inlined.
#[cold]
#[inline(never)]
fn special<S: Serializer>(serializer: S, text: Cow<'static, str>) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&text)
}

/// Writes text that begins with a `$`, and may have to be escaped.
#[cold]
#[inline(never)]
fn marked<S: Serializer>(serializer: S, text: &str) -> Result<S::Ok, S::Error> {
    if is_escaped(text) {
        serializer.serialize_str(&format!("${text}"))
    } else {
        serializer.serialize_str(text)
    }
}

macro_rules! written {
    ($($name:ident: $ty:ty;)*) => {$(
        #[inline]
        fn $name(self, value: $ty) -> Result<S::Ok, S::Error> {
            self.0.$name(value)
        }
    )*};
}

macro_rules! begun {
    ($($name:ident($($argument:ident: $ty:ty),*) -> $part:ident;)*) => {$(
        #[inline]
        fn $name(self, $($argument: $ty),*) -> Result<Exact<S::$part>, S::Error> {
            self.0.$name($($argument),*).map(Exact)
        }
    )*};
}

impl<S: Serializer> Serializer for Exact<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Exact<S::SerializeSeq>;
    type SerializeTuple = Exact<S::SerializeTuple>;
    type SerializeTupleStruct = Exact<S::SerializeTupleStruct>;
    type SerializeTupleVariant = Exact<S::SerializeTupleVariant>;
    type SerializeMap = Exact<S::SerializeMap>;
    type SerializeStruct = Exact<S::SerializeStruct>;
    type SerializeStructVariant = Exact<S::SerializeStructVariant>;

    written! {
        serialize_bool: bool; serialize_i8: i8; serialize_i16: i16; serialize_i32: i32; serialize_i64: i64;
        serialize_i128: i128; serialize_u8: u8; serialize_u16: u16; serialize_u32: u32; serialize_u64: u64;
        serialize_u128: u128; serialize_char: char; serialize_bytes: &[u8]; serialize_unit_struct: &'static str;
    }

    begun! {
        serialize_seq(len: Option<usize>) -> SerializeSeq;
        serialize_tuple(len: usize) -> SerializeTuple;
        serialize_tuple_struct(name: &'static str, len: usize) -> SerializeTupleStruct;
        serialize_tuple_variant(name: &'static str, index: u32, variant: &'static str, len: usize) -> SerializeTupleVariant;
        serialize_map(len: Option<usize>) -> SerializeMap;
        serialize_struct(name: &'static str, len: usize) -> SerializeStruct;
        serialize_struct_variant(name: &'static str, index: u32, variant: &'static str, len: usize) -> SerializeStructVariant;
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<S::Ok, S::Error> {
        if value.is_finite() { self.0.serialize_f32(value) } else { special(self.0, Special::text32(value)) }
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<S::Ok, S::Error> {
        if value.is_finite() { self.0.serialize_f64(value) } else { special(self.0, Special::text64(value)) }
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<S::Ok, S::Error> {
        if value.starts_with('$') { marked(self.0, value) } else { self.0.serialize_str(value) }
    }

    fn serialize_none(self) -> Result<S::Ok, S::Error> {
        self.0.serialize_none()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        match Nothing::of(value) {
            Some(nothing) => self.0.serialize_some(&nothing),
            None => self.0.serialize_some(&Exact(value)),
        }
    }

    fn serialize_unit(self) -> Result<S::Ok, S::Error> {
        self.0.serialize_unit()
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<S::Ok, S::Error> {
        self.0.serialize_unit_variant(name, index, variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.0.serialize_newtype_struct(name, &Exact(value))
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.0.serialize_newtype_variant(name, index, variant, &Exact(value))
    }

    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

macro_rules! elements {
    ($($of_trait:ident $method:ident;)*) => {$(
        impl<S: ser::$of_trait> ser::$of_trait for Exact<S> {
            type Ok = S::Ok;
            type Error = S::Error;
            #[inline]
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
                self.0.$method(&Exact(value))
            }
            fn end(self) -> Result<S::Ok, S::Error> {
                self.0.end()
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
        impl<S: ser::$of_trait> ser::$of_trait for Exact<S> {
            type Ok = S::Ok;
            type Error = S::Error;
            #[inline]
            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), S::Error> {
                self.0.serialize_field(name, &Exact(value))
            }
            fn skip_field(&mut self, name: &'static str) -> Result<(), S::Error> {
                self.0.skip_field(name)
            }
            fn end(self) -> Result<S::Ok, S::Error> {
                self.0.end()
            }
        }
    )*};
}

fields!(SerializeStruct SerializeStructVariant);

impl<S: ser::SerializeMap> ser::SerializeMap for Exact<S> {
    type Ok = S::Ok;
    type Error = S::Error;
    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), S::Error> {
        self.0.serialize_key(&Exact(key))
    }
    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
        self.0.serialize_value(&Exact(value))
    }
    fn end(self) -> Result<S::Ok, S::Error> {
        self.0.end()
    }
}
