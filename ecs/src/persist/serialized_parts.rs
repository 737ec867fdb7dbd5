//! The parts of serializers that are alike: serde has seven traits for the parts of a value that are
//! serialized one by one, and as many methods that begin such a value.

/// Implements the traits of serde for elements, fields and entries by expressions:
/// `serializes_parts!([ATTRIBUTES] [GENERICS] TYPE: OK, ERROR; (|parts, place, value| ..) (|parts| ..))`. The
/// first writes a part at a `PartPlace`, the second ends the value. With a third,
/// `(|parts, name| ..)`, a field that is left out is given to it, and maps are written, too.
/// The attributes are those of the methods.
macro_rules! serializes_parts {
    (@ [$($attributes:tt)*] $of_trait:ident $method:ident [$($generics:tt)*] $ty:ty: $ok:ty, $error:ty;
     (|$parts:ident, $place:ident, $value:ident| $write:expr) (|$ended:ident| $end:expr)) => {
        impl<$($generics)*> serde::ser::$of_trait for $ty {
            type Ok = $ok;
            type Error = $error;
            $($attributes)*
            fn $method<T: serde::Serialize + ?Sized>(&mut self, $value: &T) -> Result<(), $error> {
                let ($parts, $place) = (self, crate::persist::erased::write::PartPlace::Element);
                $write
            }
            $($attributes)*
            fn end(self) -> Result<$ok, $error> {
                let $ended = self;
                $end
            }
        }
    };
    (@ [$($attributes:tt)*] $of_trait:ident [$($generics:tt)*] $ty:ty: $ok:ty, $error:ty;
     (|$parts:ident, $place:ident, $value:ident| $write:expr) (|$ended:ident| $end:expr)
     $((|$skipping:ident, $name:ident| $skip:expr))?) => {
        impl<$($generics)*> serde::ser::$of_trait for $ty {
            type Ok = $ok;
            type Error = $error;
            $($attributes)*
            fn serialize_field<T: serde::Serialize + ?Sized>(&mut self, name: &'static str, $value: &T) -> Result<(), $error> {
                let ($parts, $place) = (self, crate::persist::erased::write::PartPlace::Field(name));
                $write
            }
            $(fn skip_field(&mut self, $name: &'static str) -> Result<(), $error> {
                let $skipping = self;
                $skip
            })?
            $($attributes)*
            fn end(self) -> Result<$ok, $error> {
                let $ended = self;
                $end
            }
        }
    };
    (@map [$($attributes:tt)*] [$($generics:tt)*] $ty:ty: $ok:ty, $error:ty;
     (|$parts:ident, $place:ident, $value:ident| $write:expr) (|$ended:ident| $end:expr) $skip:tt) => {
        impl<$($generics)*> serde::ser::SerializeMap for $ty {
            type Ok = $ok;
            type Error = $error;
            fn serialize_key<T: serde::Serialize + ?Sized>(&mut self, $value: &T) -> Result<(), $error> {
                let ($parts, $place) = (self, crate::persist::erased::write::PartPlace::Key);
                $write
            }
            fn serialize_value<T: serde::Serialize + ?Sized>(&mut self, $value: &T) -> Result<(), $error> {
                let ($parts, $place) = (self, crate::persist::erased::write::PartPlace::Value);
                $write
            }
            fn end(self) -> Result<$ok, $error> {
                let $ended = self;
                $end
            }
        }
    };
    ($attributes:tt $generics:tt $ty:ty: $ok:ty, $error:ty; $write:tt $end:tt $($skip:tt)?) => {
        serializes_parts!(@ $attributes SerializeSeq serialize_element $generics $ty: $ok, $error; $write $end);
        serializes_parts!(@ $attributes SerializeTuple serialize_element $generics $ty: $ok, $error; $write $end);
        serializes_parts!(@ $attributes SerializeTupleStruct serialize_field $generics $ty: $ok, $error; $write $end);
        serializes_parts!(@ $attributes SerializeTupleVariant serialize_field $generics $ty: $ok, $error; $write $end);
        serializes_parts!(@ $attributes SerializeStruct $generics $ty: $ok, $error; $write $end $($skip)?);
        serializes_parts!(@ $attributes SerializeStructVariant $generics $ty: $ok, $error; $write $end $($skip)?);
        $(serializes_parts!(@map $attributes $generics $ty: $ok, $error; $write $end $skip);)?
    };
}

/// The types of a serializer for the parts of a value, and the methods that begin such a value by
/// three of its own: `counted(self, length)` for sequences and maps, `uncounted(self)` for tuples and
/// structs, and `of_variant(self, index)`.
macro_rules! begins_parts {
    ($parts:ty, $error:ty) => {
        type SerializeSeq = $parts;
        type SerializeTuple = $parts;
        type SerializeTupleStruct = $parts;
        type SerializeTupleVariant = $parts;
        type SerializeMap = $parts;
        type SerializeStruct = $parts;
        type SerializeStructVariant = $parts;

        begins_parts! { $parts, $error:
            counted: serialize_seq(length: Option<usize>), serialize_map(length: Option<usize>);
            uncounted: serialize_tuple(_length: usize), serialize_tuple_struct(_name: &'static str, _length: usize),
                serialize_struct(_name: &'static str, _length: usize);
            of_variant: serialize_tuple_variant, serialize_struct_variant;
        }
    };
    ($parts:ty, $error:ty:
     counted: $($counted:ident($length:ident: $length_ty:ty)),*;
     uncounted: $($uncounted:ident($($argument:ident: $ty:ty),*)),*;
     of_variant: $($of_variant:ident),*;) => {
        $(#[inline(always)]
        fn $counted(self, $length: $length_ty) -> Result<$parts, $error> {
            self.counted($length)
        })*
        $(#[inline(always)]
        fn $uncounted(self, $($argument: $ty),*) -> Result<$parts, $error> {
            self.uncounted()
        })*
        $(#[inline(always)]
        fn $of_variant(self, _: &'static str, index: u32, _: &'static str, _: usize) -> Result<$parts, $error> {
            self.of_variant(index)
        })*
    };
}

pub(crate) use {begins_parts, serializes_parts};
