//! [`Scalar`]: a number, a `bool` or a `char`, as every format has them. This is the only list of
//! their types; [`WriteForm`](crate::persist::erased::write::WriteForm),
//! [`ReadForm`](crate::persist::erased::ReadForm) and descriptions of types refer to it.
#![expect(unsafe_code, reason = "a described value is read at its address")]

use core::fmt;

use serde::de::{Deserializer, Error, Visitor};
use serde::ser::Serializer;

macro_rules! scalars {
    ($($kind:ident $ty:ident $dummy:literal $serialize:ident $deserialize:ident $visit:ident;)*) => {
        /// The type of a [`Scalar`].
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum ScalarType {
            $(#[allow(missing_docs)] $kind,)*
        }

        /// A value of a primitive type.
        #[derive(Clone, Copy)]
        pub enum Scalar {
            $(#[allow(missing_docs)] $kind($ty),)*
        }

        impl ScalarType {
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => stringify!($ty),)*
                }
            }

            /// The value that is given to a type whose `Deserialize` is traced.
            pub(crate) const fn dummy(self) -> Scalar {
                match self {
                    $(Self::$kind => Scalar::$kind($dummy),)*
                }
            }

            /// Asks a format for a value of the type.
            #[inline]
            pub(crate) fn ask<'de, D: Deserializer<'de>, V: Visitor<'de>>(
                self,
                from: D,
                visitor: V,
            ) -> Result<V::Value, D::Error> {
                match self {
                    $(Self::$kind => from.$deserialize(visitor),)*
                }
            }

            /// Writes the value at an address.
            ///
            /// # Safety
            /// The address is that of a value of the type.
            #[inline]
            pub(crate) unsafe fn write_at<S: Serializer>(
                self,
                address: *const u8,
                to: S,
            ) -> Result<S::Ok, S::Error> {
                match self {
                    $(
                        // SAFETY: the contract of this function.
                        Self::$kind => to.$serialize(unsafe { *address.cast::<$ty>() }),
                    )*
                }
            }
        }

        impl Scalar {
            #[inline]
            pub(crate) fn write<S: Serializer>(self, to: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$kind(value) => to.$serialize(value),)*
                }
            }

            #[inline(always)]
            pub(crate) fn visit<'de, V: Visitor<'de>, E: Error>(self, visitor: V) -> Result<V::Value, E> {
                match self {
                    $(Self::$kind(value) => visitor.$visit(value),)*
                }
            }
        }

        impl fmt::Display for Scalar {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$kind(value) => value.fmt(f),)*
                }
            }
        }

        impl From<Scalar> for crate::value::tree::DynamicValue {
            fn from(scalar: Scalar) -> Self {
                match scalar {
                    $(Scalar::$kind(value) => value.into(),)*
                }
            }
        }
    };
}

scalars! {
    Bool bool true serialize_bool deserialize_bool visit_bool;
    I8 i8 1 serialize_i8 deserialize_i8 visit_i8;
    I16 i16 1 serialize_i16 deserialize_i16 visit_i16;
    I32 i32 1 serialize_i32 deserialize_i32 visit_i32;
    I64 i64 1 serialize_i64 deserialize_i64 visit_i64;
    I128 i128 1 serialize_i128 deserialize_i128 visit_i128;
    U8 u8 1 serialize_u8 deserialize_u8 visit_u8;
    U16 u16 1 serialize_u16 deserialize_u16 visit_u16;
    U32 u32 1 serialize_u32 deserialize_u32 visit_u32;
    U64 u64 1 serialize_u64 deserialize_u64 visit_u64;
    U128 u128 1 serialize_u128 deserialize_u128 visit_u128;
    F32 f32 1.0 serialize_f32 deserialize_f32 visit_f32;
    F64 f64 1.0 serialize_f64 deserialize_f64 visit_f64;
    Char char 'a' serialize_char deserialize_char visit_char;
}

impl ScalarType {
    pub(crate) const fn is_number(self) -> bool {
        !matches!(self, Self::Bool | Self::Char)
    }

    pub(crate) const fn is_float(self) -> bool {
        matches!(self, Self::F32 | Self::F64)
    }
}
