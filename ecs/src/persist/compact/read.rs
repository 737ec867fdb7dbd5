//! The deserializer of the compact form. It terminates for all inputs, and its allocations are
//! bounded in proportion to the input.

use core::fmt;

use serde::de::{self, DeserializeOwned, DeserializeSeed, Visitor};

use super::DEPTH;
use crate::entity::Entity;
use crate::entity::saved::ids::TOKEN;
use crate::persist::erased::FormError;
use crate::persist::memory::{self, FOR_A_BYTE};

/// The memory, in bytes, that sequence elements without bytes in the file may take in any file.
pub(crate) const EMPTY: u64 = 1 << 20;
/// The memory, in bytes, that sequence elements without bytes in the file may take in addition for
/// each byte of the file.
pub(crate) const EMPTY_FOR_A_BYTE: u64 = 64;

/// The function that maps ids while values are read.
pub(crate) type MapId<'m> = &'m dyn Fn(Entity) -> Result<Entity, FormError>;

/// The deserializer of the compact form.
pub struct Reader<'de, 'm> {
    pub(crate) input: &'de [u8],
    /// The number of values around the next one.
    pub(crate) depth: u32,
    /// The memory, in bytes, that elements without bytes in the file may still take. Each counts as
    /// one byte at least.
    pub(crate) empty: u64,
    map: Option<MapId<'m>>,
}

/// Reads a value from all of the bytes.
pub(crate) fn from_bytes<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, FormError> {
    let mut reader = Reader::new(bytes);
    let value = reader.value()?;
    reader.end()?;
    Ok(value)
}

impl<'de, 'm> Reader<'de, 'm> {
    #[inline(always)]
    pub(crate) fn new(input: &'de [u8]) -> Self {
        Self { input, depth: 0, empty: EMPTY + EMPTY_FOR_A_BYTE * input.len() as u64, map: None }
    }

    /// Makes a reader that maps ids.
    pub(crate) fn mapping(input: &'de [u8], map: MapId<'m>) -> Self {
        Self { map: Some(map), ..Self::new(input) }
    }

    /// Makes a reader of a part of the input. `empty` is the rest of the allowance of the whole
    /// input.
    #[inline(always)]
    pub(crate) fn of_part(input: &'de [u8], empty: u64, map: Option<MapId<'m>>) -> Self {
        Self { input, depth: 0, empty, map }
    }

    /// Reads the next value.
    #[inline(always)]
    pub(crate) fn value<T: DeserializeOwned>(&mut self) -> Result<T, FormError> {
        T::deserialize(self)
    }

    /// Returns an error if bytes remain.
    pub(crate) fn end(&self) -> Result<(), FormError> {
        if self.input.is_empty() {
            Ok(())
        } else {
            Err(FormError::text(format_args!("{} bytes remain after the end of the value", self.input.len())))
        }
    }

    #[inline(always)]
    fn take<const N: usize>(&mut self) -> Result<[u8; N], FormError> {
        match self.input.split_first_chunk::<N>() {
            Some((bytes, rest)) => {
                self.input = rest;
                Ok(*bytes)
            }
            None => Err(FormError::end()),
        }
    }

    /// Takes this number of bytes.
    #[inline(always)]
    pub(crate) fn take_bytes(&mut self, count: usize) -> Result<&'de [u8], FormError> {
        let (bytes, rest) = self.input.split_at_checked(count).ok_or_else(FormError::end)?;
        self.input = rest;
        Ok(bytes)
    }

    #[inline(always)]
    pub(crate) fn number(&mut self) -> Result<u32, FormError> {
        self.take().map(u32::from_le_bytes)
    }

    fn bytes(&mut self) -> Result<&'de [u8], FormError> {
        let length = self.number()? as usize;
        let (bytes, rest) = self.input.split_at_checked(length).ok_or_else(|| {
            FormError::text(format_args!("expected {length} bytes, but only {} remain", self.input.len()))
        })?;
        self.input = rest;
        Ok(bytes)
    }

    pub(crate) fn text(&mut self) -> Result<&'de str, FormError> {
        core::str::from_utf8(self.bytes()?).map_err(FormError::text)
    }

    #[inline(always)]
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, FormError>) -> Result<T, FormError> {
        if self.depth == DEPTH {
            return Err(FormError::depth());
        }
        self.depth += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    /// Reads the fields of a struct. The visitor decides their number, because the list of names
    /// also contains their aliases.
    #[inline(always)]
    fn fields<V: Visitor<'de>>(&mut self, names: &[&str], visitor: V) -> Result<V::Value, FormError> {
        self.nested(|reader| visitor.visit_seq(Elements { reader, left: names.len(), counted: false }))
    }

    #[inline(always)]
    fn elements<V: Visitor<'de>>(
        &mut self,
        left: usize,
        counted: bool,
        visitor: V,
    ) -> Result<V::Value, FormError> {
        self.nested(|reader| {
            let mut elements = Elements { reader, left, counted };
            let value = visitor.visit_seq(&mut elements)?;
            if elements.left != 0 {
                return Err(FormError::text(format_args!("{} elements too many", elements.left)));
            }
            Ok(value)
        })
    }

    #[cold]
    fn any<T>(&self) -> Result<T, FormError> {
        Err(FormError::text(
            "the type's `Deserialize` calls `deserialize_any` (`flatten`, `untagged`, or an internal tag), which the compact form \
             does not support",
        ))
    }
}

/// Charges the memory of an element that is much larger than the bytes that it has `taken` from the
/// file.
#[inline(always)]
fn charge_large<T>(taken: usize) -> Result<(), FormError> {
    if const { size_of::<T>() as u64 > FOR_A_BYTE } {
        let more = (size_of::<T>() as u64).saturating_sub(FOR_A_BYTE.saturating_mul(taken as u64));
        if more > 0 {
            return memory::charge(more).map_err(FormError::text);
        }
    }
    Ok(())
}

/// The elements of a sequence or the fields of a value.
struct Elements<'r, 'de, 'm> {
    reader: &'r mut Reader<'de, 'm>,
    left: usize,
    /// Whether the number of elements is from the file, not from the type.
    counted: bool,
}

impl<'de> de::SeqAccess<'de> for Elements<'_, 'de, '_> {
    type Error = FormError;

    #[inline(always)]
    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, FormError> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let before = self.reader.input.len();
        let value = seed.deserialize(&mut *self.reader)?;
        if self.counted {
            let taken = before - self.reader.input.len();
            if taken == 0 {
                let takes =
                    const { if size_of::<T::Value>() > 1 { size_of::<T::Value>() as u64 } else { 1 } };
                let left = self.reader.empty.checked_sub(takes);
                self.reader.empty =
                    left.ok_or_else(|| FormError::text("too many elements that take no byte in the file"))?;
            }
            charge_large::<T::Value>(taken)?;
        }
        Ok(Some(value))
    }

    #[inline(always)]
    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(self.reader.input.len()))
    }
}

impl<'de> de::MapAccess<'de> for Elements<'_, 'de, '_> {
    type Error = FormError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, FormError> {
        de::SeqAccess::next_element_seed(self, seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, FormError> {
        let before = self.reader.input.len();
        let value = seed.deserialize(&mut *self.reader)?;
        charge_large::<V::Value>(before - self.reader.input.len())?;
        Ok(value)
    }

    fn size_hint(&self) -> Option<usize> {
        de::SeqAccess::size_hint(self)
    }
}

macro_rules! numbers {
    ($($name:ident $visit:ident: $ty:ty),*) => {$(
        #[inline(always)]
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, FormError> {
            visitor.$visit(<$ty>::from_le_bytes(self.take()?))
        }
    )*};
}

/// Methods of a deserializer that give what a reader reads to a visitor.
macro_rules! reads {
    ($($(#[$inline:meta])? $name:ident($($argument:ident: $ty:ty),*) |$reader:ident, $visitor:ident| $read:expr;)*) => {$(
        $(#[$inline])?
        fn $name<V: Visitor<'de>>(self, $($argument: $ty,)* $visitor: V) -> Result<V::Value, FormError> {
            let $reader = self;
            $read
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Reader<'de, '_> {
    type Error = FormError;

    numbers! {
        deserialize_u8 visit_u8: u8, deserialize_u16 visit_u16: u16, deserialize_u32 visit_u32: u32,
        deserialize_u64 visit_u64: u64, deserialize_u128 visit_u128: u128, deserialize_i8 visit_i8: i8,
        deserialize_i16 visit_i16: i16, deserialize_i32 visit_i32: i32, deserialize_i64 visit_i64: i64,
        deserialize_i128 visit_i128: i128, deserialize_f32 visit_f32: f32, deserialize_f64 visit_f64: f64
    }

    #[inline(always)]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, FormError> {
        if let (Some(map), TOKEN) = (self.map, name) {
            let bits = u64::from_le_bytes(self.take()?);
            let entity = Entity::from_bits(bits)
                .ok_or_else(|| FormError::text(format_args!("{bits} is not an entity id")))?;
            return visitor.visit_u64(map(entity)?.to_bits());
        }
        self.nested(|reader| visitor.visit_newtype_struct(reader))
    }

    reads! {
        #[inline(always)]
        deserialize_bool() |reader, visitor| match reader.take()? {
            [0] => visitor.visit_bool(false),
            [1] => visitor.visit_bool(true),
            [other] => Err(FormError::text(format_args!("{other} is not a `bool`"))),
        };
        deserialize_char() |reader, visitor| {
            let number = reader.number()?;
            let not_one = || FormError::text(format_args!("{number} is not a `char`"));
            visitor.visit_char(char::from_u32(number).ok_or_else(not_one)?)
        };
        deserialize_str() |reader, visitor| visitor.visit_borrowed_str(reader.text()?);
        deserialize_string() |reader, visitor| visitor.visit_borrowed_str(reader.text()?);
        deserialize_bytes() |reader, visitor| visitor.visit_borrowed_bytes(reader.bytes()?);
        deserialize_byte_buf() |reader, visitor| visitor.visit_borrowed_bytes(reader.bytes()?);
        #[inline(always)]
        deserialize_option() |reader, visitor| match reader.take()? {
            [0] => visitor.visit_none(),
            [1] => reader.nested(|reader| visitor.visit_some(reader)),
            [other] => Err(FormError::text(format_args!("{other} is neither `None` nor `Some`"))),
        };
        #[inline(always)]
        deserialize_unit() |_reader, visitor| visitor.visit_unit();
        #[inline(always)]
        deserialize_unit_struct(_name: &'static str) |_reader, visitor| visitor.visit_unit();
        deserialize_seq() |reader, visitor| {
            let length = reader.number()? as usize;
            reader.elements(length, true, visitor)
        };
        #[inline(always)]
        deserialize_tuple(length: usize) |reader, visitor| reader.elements(length, false, visitor);
        #[inline(always)]
        deserialize_tuple_struct(_name: &'static str, length: usize) |reader, visitor| {
            reader.elements(length, false, visitor)
        };
        deserialize_map() |reader, visitor| {
            let length = reader.number()? as usize;
            reader.nested(|reader| {
                let mut elements = Elements { reader, left: length, counted: true };
                let value = visitor.visit_map(&mut elements)?;
                if elements.left != 0 {
                    return Err(FormError::text(format_args!("{} entries too many", elements.left)));
                }
                Ok(value)
            })
        };
        #[inline(always)]
        deserialize_struct(_name: &'static str, fields: &'static [&'static str]) |reader, visitor| {
            reader.fields(fields, visitor)
        };
        #[inline(always)]
        deserialize_enum(_name: &'static str, _variants: &'static [&'static str]) |reader, visitor| {
            reader.nested(|reader| visitor.visit_enum(reader))
        };
        deserialize_identifier() |reader, visitor| visitor.visit_u32(reader.number()?);
        deserialize_any() |reader, _visitor| reader.any();
        deserialize_ignored_any() |reader, _visitor| reader.any();
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

impl<'de> de::EnumAccess<'de> for &mut Reader<'de, '_> {
    type Error = FormError;
    type Variant = Self;

    #[inline(always)]
    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), FormError> {
        let index = self.number()?;
        let value = seed.deserialize(de::value::U32Deserializer::<FormError>::new(index))?;
        Ok((value, self))
    }
}

impl<'de> de::VariantAccess<'de> for &mut Reader<'de, '_> {
    type Error = FormError;

    #[inline(always)]
    fn unit_variant(self) -> Result<(), FormError> {
        Ok(())
    }

    #[inline(always)]
    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, FormError> {
        seed.deserialize(self)
    }

    #[inline(always)]
    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, FormError> {
        self.elements(length, false, visitor)
    }

    #[inline(always)]
    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FormError> {
        self.fields(fields, visitor)
    }
}

impl fmt::Debug for Reader<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("left", &self.input.len()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use alloc::boxed::Box;
    use alloc::collections::BTreeMap;
    use alloc::vec;
    use alloc::vec::Vec;

    use serde::{Deserialize, Serialize};

    use super::*;
    use crate::persist::compact::write::to_vec;

    #[derive(Serialize, Deserialize)]
    struct Link(Option<Box<Link>>);

    /// A value that is nested this deep: two levels for each link.
    fn chain(depth: u32) -> Link {
        (1..depth / 2).fold(Link(None), |link, _| Link(Some(Box::new(link))))
    }

    #[test]
    fn values_beside_each_other_are_not_nested() {
        let bytes: Vec<u8> = [1, 7].repeat(2 * DEPTH as usize);
        let mut reader = Reader::new(&bytes);
        for _ in 0..2 * DEPTH {
            assert_eq!(reader.value::<Option<u8>>().unwrap(), Some(7));
        }
        reader.end().unwrap();
        assert_eq!(reader.depth, 0);
    }

    #[test]
    fn values_are_written_and_read_up_to_one_depth() {
        let deepest = to_vec(&chain(DEPTH)).unwrap();
        assert!(from_bytes::<Link>(&deepest).is_ok());
        assert!(to_vec(&chain(DEPTH + 2)).is_err());
        let deeper = [&[1; 1], &*deepest].concat();
        assert!(from_bytes::<Link>(&deeper).is_err());
    }

    /// A value of one byte that takes 256 bytes of memory.
    #[derive(Deserialize)]
    struct Large {
        _byte: u8,
        #[serde(skip)]
        _more: [[u64; 4]; 8],
    }

    #[test]
    fn elements_that_are_larger_than_their_bytes_are_charged() {
        let size = size_of::<Large>() as u64;
        let list = [&10_u32.to_le_bytes()[..], &[1; 10]].concat();
        let limited = |limit, bytes: &[u8]| {
            memory::limited(Some(limit), 0, || from_bytes::<Vec<Large>>(bytes).map(|list| list.len()))
        };
        let all = 10 * (size - FOR_A_BYTE);
        assert_eq!(limited(all, &list).unwrap(), 10);
        assert!(limited(all - 1, &list).is_err());
        // the keys of a map are small, its values are not
        let pairs: Vec<u8> = (0..10).flat_map(|key| [key, 1]).collect();
        let map = [&10_u32.to_le_bytes()[..], &pairs].concat();
        let limited = |limit| memory::limited(Some(limit), 0, || from_bytes::<BTreeMap<u8, Large>>(&map));
        assert_eq!(limited(all).unwrap().len(), 10);
        assert!(limited(all - 1).is_err());
    }

    #[test]
    fn elements_without_bytes_are_bounded() {
        let most = (EMPTY + 4 * EMPTY_FOR_A_BYTE) as u32;
        assert_eq!(from_bytes::<Vec<()>>(&most.to_le_bytes()).unwrap().len(), most as usize);
        assert!(from_bytes::<Vec<()>>(&(most + 1).to_le_bytes()).is_err());
        assert_eq!(from_bytes::<Vec<u8>>(&[1, 0, 0, 0, 9]).unwrap(), vec![9]);
    }
}
