//! [`serializes_parts`]: serde has six traits for the parts of a value that are serialized one by
//! one; most serializers treat elements alike, and fields alike.

/// Implements the traits of serde for elements and fields by the type's methods
/// `element(&mut self, value)`, `field(&mut self, name, value)` and `done(self)`:
/// `serializes_parts!([GENERICS] TYPE: OK, ERROR)`. A field that is left out is the error
/// `skipped(name)` if that function is given at the end.
macro_rules! serializes_parts {
    ($generics:tt $ty:ty: $ok:ty, $error:ty $(, $skipped:path)?) => {
        serializes_parts!(@ SerializeSeq serialize_element $generics $ty: $ok, $error);
        serializes_parts!(@ SerializeTuple serialize_element $generics $ty: $ok, $error);
        serializes_parts!(@ SerializeTupleStruct serialize_field $generics $ty: $ok, $error);
        serializes_parts!(@ SerializeTupleVariant serialize_field $generics $ty: $ok, $error);
        serializes_parts!(@ SerializeStruct $generics $ty: $ok, $error $(, $skipped)?);
        serializes_parts!(@ SerializeStructVariant $generics $ty: $ok, $error $(, $skipped)?);
    };
    (@ $of_trait:ident $method:ident [$($generics:tt)*] $ty:ty: $ok:ty, $error:ty) => {
        impl<$($generics)*> serde::ser::$of_trait for $ty {
            type Ok = $ok;
            type Error = $error;
            #[inline(always)]
            fn $method<T: serde::Serialize + ?Sized>(&mut self, value: &T) -> Result<(), $error> {
                self.element(value)
            }
            #[inline(always)]
            fn end(self) -> Result<$ok, $error> {
                self.done()
            }
        }
    };
    (@ $of_trait:ident [$($generics:tt)*] $ty:ty: $ok:ty, $error:ty $(, $skipped:path)?) => {
        impl<$($generics)*> serde::ser::$of_trait for $ty {
            type Ok = $ok;
            type Error = $error;
            #[inline(always)]
            fn serialize_field<T: serde::Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), $error> {
                self.field(name, value)
            }
            $(fn skip_field(&mut self, name: &'static str) -> Result<(), $error> {
                Err($skipped(name))
            })?
            #[inline(always)]
            fn end(self) -> Result<$ok, $error> {
                self.done()
            }
        }
    };
}

pub(crate) use serializes_parts;
