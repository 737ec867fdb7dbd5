//! [`Strict`]: a deserializer that returns an error for every field that the type would ignore, at the position of the field.
//!
//! It wraps another deserializer, and all seeds, visitors and accesses within it. The technique is that of the crate `serde_ignored`,
//! which collects ignored fields without their positions.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;
use core::marker::PhantomData;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::methods::each_method;
use crate::base::nearest::nearest;

/// A wrapper of a deserializer, seed, visitor or access that notes the current map key.
///
/// The lifetime of the values that are read may be shorter than that of the input: `'l` is the lifetime of the wrapped deserializer's
/// or visitor's data.
pub(super) struct Strict<'k, 'l, T> {
    inner: T,
    key: &'k RefCell<String>,
    /// The names of the fields, if the value is in a struct.
    fields: &'static [&'static str],
    lives: PhantomData<&'l ()>,
}

impl<'k, T> Strict<'k, '_, T> {
    /// Wraps `inner`. The current key is kept in `key`.
    pub(super) fn new(inner: T, key: &'k RefCell<String>) -> Self {
        Self::of(inner, key, &[])
    }

    /// Wraps `inner`, which is in a struct with these fields.
    fn of(inner: T, key: &'k RefCell<String>, fields: &'static [&'static str]) -> Self {
        Self { inner, key, fields, lives: PhantomData }
    }
}

/// The message that a struct does not have a field, with the most similar field.
pub(super) fn no_field(name: &str, fields: &[&'static str]) -> String {
    let meant = nearest(name, fields).map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
    format!("there is no field `{name}`{meant}")
}

macro_rules! forwarded {
    ($($name:ident($($argument:ident: $ty:ty),*);)*) => {$(
        fn $name<V: Visitor<'s>>(self, $($argument: $ty,)* visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$name($($argument,)* Strict::new(visitor, self.key))
        }
    )*};
}

impl<'s, 'de: 's, D: Deserializer<'de>> Deserializer<'s> for Strict<'_, 'de, D> {
    type Error = D::Error;

    each_method!(forwarded);

    fn deserialize_struct<V: Visitor<'s>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_struct(name, fields, Strict::of(visitor, self.key, fields))
    }

    fn deserialize_ignored_any<V: Visitor<'s>>(self, _: V) -> Result<V::Value, D::Error> {
        Err(D::Error::custom(no_field(&self.key.borrow(), self.fields)))
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

macro_rules! visited {
    ($($name:ident: $ty:ty;)*) => {$(
        fn $name<E: Error>(self, value: $ty) -> Result<V::Value, E> {
            self.inner.$name(value)
        }
    )*};
}

impl<'s, 'de: 's, V: Visitor<'s>> Visitor<'de> for Strict<'_, 's, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.inner.expecting(f)
    }

    visited! {
        visit_bool: bool; visit_i8: i8; visit_i16: i16; visit_i32: i32; visit_i64: i64; visit_i128: i128; visit_u8: u8;
        visit_u16: u16; visit_u32: u32; visit_u64: u64; visit_u128: u128; visit_f32: f32; visit_f64: f64;
        visit_char: char; visit_str: &str; visit_borrowed_str: &'de str; visit_string: String; visit_bytes: &[u8];
        visit_borrowed_bytes: &'de [u8]; visit_byte_buf: Vec<u8>;
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }
    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(Strict::new(deserializer, self.key))
    }
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.inner.visit_newtype_struct(Strict::new(deserializer, self.key))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<V::Value, A::Error> {
        self.inner.visit_seq(Strict::new(seq, self.key))
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.inner.visit_map(Strict::of(map, self.key, self.fields))
    }
    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<V::Value, A::Error> {
        self.inner.visit_enum(Strict::new(data, self.key))
    }
}

impl<'s, 'de: 's, S: DeserializeSeed<'s>> DeserializeSeed<'de> for Strict<'_, 's, S> {
    type Value = S::Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.inner.deserialize(Strict::of(deserializer, self.key, self.fields))
    }
}

impl<'s, 'de: 's, A: SeqAccess<'de>> SeqAccess<'s> for Strict<'_, 'de, A> {
    type Error = A::Error;
    fn next_element_seed<S: DeserializeSeed<'s>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_element_seed(Strict::new(seed, self.key))
    }
    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'s, 'de: 's, A: MapAccess<'de>> MapAccess<'s> for Strict<'_, 'de, A> {
    type Error = A::Error;
    /// Reads a key, and notes it if it is a scalar or text.
    fn next_key_seed<S: DeserializeSeed<'s>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_key_seed(Key::new(seed, self.key))
    }
    fn next_value_seed<S: DeserializeSeed<'s>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.inner.next_value_seed(Strict::of(seed, self.key, self.fields))
    }
    fn size_hint(&self) -> Option<usize> {
        self.inner.size_hint()
    }
}

impl<'s, 'de: 's, 'k, A: EnumAccess<'de>> EnumAccess<'s> for Strict<'k, 'de, A> {
    type Error = A::Error;
    type Variant = Strict<'k, 'de, A::Variant>;
    fn variant_seed<S: DeserializeSeed<'s>>(self, seed: S) -> Result<(S::Value, Self::Variant), A::Error> {
        let (value, variant) = self.inner.variant_seed(Strict::new(seed, self.key))?;
        Ok((value, Strict::new(variant, self.key)))
    }
}

impl<'s, 'de: 's, A: VariantAccess<'de>> VariantAccess<'s> for Strict<'_, 'de, A> {
    type Error = A::Error;
    fn unit_variant(self) -> Result<(), A::Error> {
        self.inner.unit_variant()
    }
    fn newtype_variant_seed<S: DeserializeSeed<'s>>(self, seed: S) -> Result<S::Value, A::Error> {
        self.inner.newtype_variant_seed(Strict::new(seed, self.key))
    }
    fn tuple_variant<V: Visitor<'s>>(self, len: usize, visitor: V) -> Result<V::Value, A::Error> {
        self.inner.tuple_variant(len, Strict::new(visitor, self.key))
    }
    fn struct_variant<V: Visitor<'s>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, A::Error> {
        self.inner.struct_variant(fields, Strict::of(visitor, self.key, fields))
    }
}

/// A wrapper of a map key's deserializer, seed or visitor that notes the key.
struct Key<'k, 'l, T>(T, &'k RefCell<String>, PhantomData<&'l ()>);

impl<'k, T> Key<'k, '_, T> {
    fn new(inner: T, key: &'k RefCell<String>) -> Self {
        Self(inner, key, PhantomData)
    }
}

impl<'s, 'de: 's, S: DeserializeSeed<'s>> DeserializeSeed<'de> for Key<'_, 's, S> {
    type Value = S::Value;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Key::new(deserializer, self.1))
    }
}

macro_rules! keys {
    ($($name:ident($($argument:ident: $ty:ty),*);)*) => {$(
        fn $name<V: Visitor<'s>>(self, $($argument: $ty,)* visitor: V) -> Result<V::Value, D::Error> {
            self.0.$name($($argument,)* Key::new(visitor, self.1))
        }
    )*};
}

impl<'s, 'de: 's, D: Deserializer<'de>> Deserializer<'s> for Key<'_, 'de, D> {
    type Error = D::Error;
    each_method!(keys);
    keys! {
        deserialize_struct(name: &'static str, fields: &'static [&'static str]);
        deserialize_ignored_any();
    }
    fn is_human_readable(&self) -> bool {
        self.0.is_human_readable()
    }
}

macro_rules! key_visited {
    ($($name:ident: $ty:ty;)*) => {$(
        fn $name<E: Error>(self, value: $ty) -> Result<V::Value, E> {
            *self.1.borrow_mut() = value.to_string();
            self.0.$name(value)
        }
    )*};
}

impl<'s, 'de: 's, V: Visitor<'s>> Visitor<'de> for Key<'_, 's, V> {
    type Value = V::Value;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }
    key_visited! {
        visit_bool: bool; visit_i8: i8; visit_i16: i16; visit_i32: i32; visit_i64: i64; visit_i128: i128; visit_u8: u8;
        visit_u16: u16; visit_u32: u32; visit_u64: u64; visit_u128: u128; visit_f32: f32; visit_f64: f64;
        visit_char: char; visit_str: &str; visit_borrowed_str: &'de str; visit_string: String;
    }
    fn visit_bytes<E: Error>(self, value: &[u8]) -> Result<V::Value, E> {
        self.0.visit_bytes(value)
    }
    fn visit_borrowed_bytes<E: Error>(self, value: &'de [u8]) -> Result<V::Value, E> {
        self.0.visit_borrowed_bytes(value)
    }
    fn visit_byte_buf<E: Error>(self, value: Vec<u8>) -> Result<V::Value, E> {
        self.0.visit_byte_buf(value)
    }
    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_none()
    }
    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.0.visit_unit()
    }
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_some(Strict::new(deserializer, self.1))
    }
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<V::Value, D::Error> {
        self.0.visit_newtype_struct(Key::new(deserializer, self.1))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<V::Value, A::Error> {
        self.0.visit_seq(Strict::new(seq, self.1))
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(Strict::new(map, self.1))
    }
    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<V::Value, A::Error> {
        self.0.visit_enum(Strict::new(data, self.1))
    }
}
