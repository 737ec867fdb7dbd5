//! [`is_as_in_memory`]: whether the compact form of a plain value is its bytes in memory, so that
//! the bytes can be copied into a file.
//!
//! The value's `Serialize` is run with a serializer that compares each number with the value's
//! bytes at the number's position. So a `Serialize` that is written by hand is compared as well.
//! For the one that serde derives for a struct of numbers, the optimizer finds that each number is
//! compared with itself, and removes the comparison.

use core::fmt;

use serde::ser::{self, Impossible, Serialize, Serializer};

use crate::persist::serialized_parts::serializes_parts;
use crate::storage::copy::PlainValue;

/// Whether the compact form of a value is its bytes in memory.
#[inline(always)]
pub(crate) fn is_as_in_memory<T: Serialize>(value: PlainValue<'_, T>) -> bool {
    value.value().serialize(FirstNumber(value)) == Ok(size_of::<T>())
}

/// The compact form of a value is not its bytes in memory.
#[derive(PartialEq, Debug)]
struct NotAsInMemory;

impl fmt::Display for NotAsInMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the compact form of a value is not its bytes in memory")
    }
}

impl core::error::Error for NotAsInMemory {}

impl ser::Error for NotAsInMemory {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Self
    }
}

/// The comparison of a value's numbers with its bytes.
struct MemoryComparison<'v, T> {
    value: PlainValue<'v, T>,
    /// The position of the next number.
    at: usize,
    /// Whether all numbers before position `at` are equal to the bytes.
    same: bool,
}

impl<'v, T> MemoryComparison<'v, T> {
    #[inline(always)]
    const fn new(value: PlainValue<'v, T>) -> Self {
        Self { value, at: 0, same: true }
    }

    #[inline(always)]
    fn number<const N: usize>(&mut self, bytes: [u8; N]) {
        self.same &= self.value.bytes(self.at) == Some(bytes);
        self.at = self.at.wrapping_add(N);
    }

    #[inline(always)]
    fn done(self) -> Result<usize, NotAsInMemory> {
        if self.same { Ok(self.at) } else { Err(NotAsInMemory) }
    }
}

serializes_parts!([#[inline(always)]] ['v, V] MemoryComparison<'v, V>: usize, NotAsInMemory;
    (|comparison, _place, value| value.serialize(NextNumber(comparison)))
    (|comparison| comparison.done())
);

/// The serializer of a value, which begins at its first byte. It stores no position, so that all
/// positions are constants in the function that serde derives.
struct FirstNumber<'v, T>(PlainValue<'v, T>);

/// The serializer of a part of a value.
struct NextNumber<'c, 'v, T>(&'c mut MemoryComparison<'v, T>);

serializes_parts!([#[inline(always)]] ['c, 'v, V] NextNumber<'c, 'v, V>: (), NotAsInMemory;
    (|next, _place, value| value.serialize(NextNumber(next.0)))
    (|_next| Ok(()))
);

macro_rules! numbers {
    ($($name:ident: $ty:ty),*) => {$(
        #[inline(always)]
        fn $name(self, value: $ty) -> Result<Self::Ok, NotAsInMemory> {
            self.number(value.to_le_bytes())
        }
    )*};
}

macro_rules! differs {
    ($($name:ident($($argument:ty),*) -> $out:ty;)*) => {$(
        fn $name(self, $(_: $argument),*) -> Result<$out, NotAsInMemory> {
            Err(NotAsInMemory)
        }
    )*};
}

/// The methods that both serializers have: numbers, and values that are no numbers.
macro_rules! numbers_only {
    ($parts:ty) => {
        type Error = NotAsInMemory;
        type SerializeSeq = Impossible<Self::Ok, NotAsInMemory>;
        type SerializeTuple = $parts;
        type SerializeTupleStruct = $parts;
        type SerializeTupleVariant = Impossible<Self::Ok, NotAsInMemory>;
        type SerializeMap = Impossible<Self::Ok, NotAsInMemory>;
        type SerializeStruct = $parts;
        type SerializeStructVariant = Impossible<Self::Ok, NotAsInMemory>;

        numbers! {
            serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_u128: u128,
            serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_i128: i128,
            serialize_f32: f32, serialize_f64: f64
        }

        #[inline(always)]
        fn serialize_bool(self, value: bool) -> Result<Self::Ok, NotAsInMemory> {
            self.number([u8::from(value)])
        }

        differs! {
            serialize_char(char) -> Self::Ok;
            serialize_str(&str) -> Self::Ok;
            serialize_bytes(&[u8]) -> Self::Ok;
            serialize_none() -> Self::Ok;
            serialize_unit() -> Self::Ok;
            serialize_unit_struct(&'static str) -> Self::Ok;
            serialize_unit_variant(&'static str, u32, &'static str) -> Self::Ok;
            serialize_seq(Option<usize>) -> Self::SerializeSeq;
            serialize_map(Option<usize>) -> Self::SerializeMap;
            serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
            serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
        }

        fn serialize_some<U: Serialize + ?Sized>(self, _: &U) -> Result<Self::Ok, NotAsInMemory> {
            Err(NotAsInMemory)
        }

        fn serialize_newtype_variant<U: Serialize + ?Sized>(self, _: &'static str, _: u32, _: &'static str, _: &U) -> Result<Self::Ok, NotAsInMemory> {
            Err(NotAsInMemory)
        }

        fn collect_str<U: fmt::Display + ?Sized>(self, _: &U) -> Result<Self::Ok, NotAsInMemory> {
            Err(NotAsInMemory)
        }

        #[inline(always)]
        fn serialize_newtype_struct<U: Serialize + ?Sized>(self, _: &'static str, value: &U) -> Result<Self::Ok, NotAsInMemory> {
            value.serialize(self)
        }

        #[inline(always)]
        fn serialize_tuple(self, _: usize) -> Result<$parts, NotAsInMemory> {
            Ok(self.parts())
        }

        #[inline(always)]
        fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<$parts, NotAsInMemory> {
            Ok(self.parts())
        }

        #[inline(always)]
        fn serialize_struct(self, _: &'static str, _: usize) -> Result<$parts, NotAsInMemory> {
            Ok(self.parts())
        }

        fn is_human_readable(&self) -> bool {
            false
        }
    };
}

impl<'v, T> FirstNumber<'v, T> {
    #[inline(always)]
    fn number<const N: usize>(self, bytes: [u8; N]) -> Result<usize, NotAsInMemory> {
        let mut comparison = MemoryComparison::new(self.0);
        comparison.number(bytes);
        comparison.done()
    }

    #[inline(always)]
    const fn parts(self) -> MemoryComparison<'v, T> {
        MemoryComparison::new(self.0)
    }
}

impl<'v, T> Serializer for FirstNumber<'v, T> {
    type Ok = usize;
    numbers_only!(MemoryComparison<'v, T>);
}

impl<T> NextNumber<'_, '_, T> {
    #[inline(always)]
    fn number<const N: usize>(self, bytes: [u8; N]) -> Result<(), NotAsInMemory> {
        self.0.number(bytes);
        Ok(())
    }

    #[inline(always)]
    const fn parts(self) -> Self {
        self
    }
}

impl<T> Serializer for NextNumber<'_, '_, T> {
    type Ok = ();
    numbers_only!(Self);
}
