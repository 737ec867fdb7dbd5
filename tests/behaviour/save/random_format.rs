//! [`RandomFormat`]: a format that answers each request of a type with a random value, and may lie.
//!
//! Two types that make the same requests get the same values, so that their code is compared
//! request by request.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use serde::de::value::{Error, StrDeserializer, U32Deserializer};
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};

/// A sequence of random numbers: splitmix64.
#[derive(Clone)]
pub(crate) struct Numbers(Rc<Cell<u64>>);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Rc::new(Cell::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))))
    }

    pub(crate) fn next(&self) -> u64 {
        self.0.set(self.0.get().wrapping_add(0x9e37_79b9_7f4a_7c15));
        let mixed = (self.0.get() ^ self.0.get() >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub(crate) fn below(&self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

#[derive(Clone)]
pub(crate) struct RandomFormat {
    numbers: Numbers,
    depth: usize,
    /// One request of so many gets a lie; with 0, none.
    lies: usize,
    /// The requests so far.
    pub(crate) requests: Rc<RefCell<Vec<String>>>,
    is_human_readable: bool,
}

/// The nesting beyond which options and sequences are empty.
const DEEP: usize = 8;

impl RandomFormat {
    pub(crate) fn new(seed: u64, lies: usize, is_human_readable: bool) -> Self {
        Self { numbers: Numbers::new(seed), depth: 0, lies, requests: Rc::default(), is_human_readable }
    }

    fn content(&self) -> Self {
        Self { depth: self.depth + 1, ..self.clone() }
    }

    fn is_lie(&self) -> bool {
        self.lies > 0 && self.numbers.below(self.lies) == 0
    }

    fn few(&self) -> usize {
        if self.depth > DEEP { 0 } else { self.numbers.below(4) }
    }

    /// A number that is often near the bounds of its type.
    fn number(&self) -> u64 {
        match self.numbers.below(4) {
            0 => self.numbers.below(4) as u64,
            1 => self.numbers.below(300) as u64,
            2 => u64::MAX - self.numbers.below(3) as u64,
            _ => self.numbers.next(),
        }
    }

    fn text(&self) -> String {
        let letters = ['a', '"', '\\', '\u{e4}', '\u{1f980}', '\n', '$', 'S'];
        (0..self.numbers.below(6)).map(|_| letters[self.numbers.below(letters.len())]).collect()
    }

    /// Notes the request, and answers it: with a lie, an answer of another kind, or an error after
    /// the answer.
    fn answer<'de, V: Visitor<'de>>(
        self,
        request: &str,
        visitor: V,
        answer: impl FnOnce(Self, V) -> Result<V::Value, Error>,
    ) -> Result<V::Value, Error> {
        self.requests.borrow_mut().push(request.into());
        if !self.is_lie() {
            let (numbers, lies) = (self.numbers.clone(), self.lies * 3);
            let answered = answer(self, visitor)?;
            return match lies > 0 && numbers.below(lies) == 0 {
                true => Err(de::Error::custom("too late")),
                false => Ok(answered),
            };
        }
        match self.numbers.below(if self.depth > DEEP { 8 } else { 13 }) {
            0 => visitor.visit_unit(),
            1 => visitor.visit_none(),
            2 => visitor.visit_u64(self.number()),
            3 => visitor.visit_str(&self.text()),
            4 => visitor.visit_bytes(&[0xff, 0xfe]),
            5 => visitor.visit_bool(true),
            6 => visitor.visit_i64(-1),
            7 => Err(de::Error::custom("no value")),
            8 => visitor.visit_some(self.content()),
            9 => visitor.visit_newtype_struct(self.content()),
            10 => visitor.visit_seq(RandomElements { of: self.content(), left: 2 }),
            11 => visitor.visit_map(RandomEntries { of: self.content(), names: None, left: 2 }),
            _ => visitor.visit_enum(RandomVariant { of: self.content(), names: &["A", "B"] }),
        }
    }

    fn fields<'de, V: Visitor<'de>>(
        self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if self.numbers.below(3) == 0 {
            let left = names.len() - usize::from(self.is_lie() && !names.is_empty());
            return visitor.visit_seq(RandomElements { of: self.content(), left });
        }
        // in any order, with names that no field has, and with a lie without one or with one twice
        let mut names = names.to_vec();
        for at in (1..names.len()).rev() {
            names.swap(at, self.numbers.below(at + 1));
        }
        match names.last() {
            Some(&last) if self.is_lie() => names.push(last),
            Some(_) if self.is_lie() => drop(names.pop()),
            _ => {}
        }
        if self.numbers.below(4) == 0 {
            names.insert(self.numbers.below(names.len()), "other");
        }
        visitor.visit_map(RandomEntries { of: self.content(), names: Some(names), left: 0 })
    }
}

macro_rules! numbers {
    ($($name:ident $visit:ident $ty:ty),*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.answer(stringify!($ty), visitor, |format, visitor| visitor.$visit(format.number() as $ty))
        }
    )*};
}

impl<'de> Deserializer<'de> for RandomFormat {
    type Error = Error;

    numbers! {
        deserialize_u8 visit_u8 u8, deserialize_u16 visit_u16 u16, deserialize_u32 visit_u32 u32, deserialize_u64 visit_u64 u64,
        deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16, deserialize_i32 visit_i32 i32, deserialize_i64 visit_i64 i64,
        deserialize_u128 visit_u128 u128, deserialize_i128 visit_i128 i128, deserialize_f32 visit_f32 f32,
        deserialize_f64 visit_f64 f64
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.answer("bool", visitor, |format, visitor| visitor.visit_bool(format.numbers.below(2) == 0))
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.answer("char", visitor, |format, visitor| {
            visitor.visit_char(['a', '\u{e4}', '\u{1f980}'][format.numbers.below(3)])
        })
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.answer("text", visitor, |format, visitor| visitor.visit_str(&format.text()))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.answer("option", visitor, |format, visitor| match format.few() {
            0 => visitor.visit_none(),
            _ => visitor.visit_some(format.content()),
        })
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.answer("unit", visitor, |_, visitor| visitor.visit_unit())
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.answer(name, visitor, |_, visitor| visitor.visit_unit())
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        if name != "$ecs::Entity" {
            return self
                .answer(name, visitor, |format, visitor| visitor.visit_newtype_struct(format.content()));
        }
        let (slot, generation) = (self.numbers.below(40) as u64, 1 + self.numbers.below(60_000) as u64);
        match self.is_human_readable {
            true => visitor.visit_str(&format!("{slot}v{generation}@7")),
            false => visitor.visit_u64(generation << 32 | slot),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.answer("list", visitor, |format, visitor| {
            visitor.visit_seq(RandomElements { of: format.content(), left: format.few() })
        })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.answer(&format!("tuple of {len}"), visitor, |format, visitor| {
            let left = len - usize::from(len > 0 && format.is_lie());
            visitor.visit_seq(RandomElements { of: format.content(), left })
        })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.requests.borrow_mut().push(name.into());
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.answer("map", visitor, |format, visitor| {
            visitor.visit_map(RandomEntries { of: format.content(), names: None, left: format.few() })
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.answer(&format!("{name} {names:?}"), visitor, |format, visitor| format.fields(names, visitor))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.answer(&format!("{name} {names:?}"), visitor, |format, visitor| {
            visitor.visit_enum(RandomVariant { of: format.content(), names })
        })
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn is_human_readable(&self) -> bool {
        self.is_human_readable
    }

    serde::forward_to_deserialize_any! { str bytes byte_buf identifier ignored_any }
}

struct RandomElements {
    of: RandomFormat,
    left: usize,
}

impl<'de> SeqAccess<'de> for RandomElements {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
        self.left = left;
        let element = seed.deserialize(self.of.clone())?;
        // an element that was read may be lost
        Ok(Some(element).filter(|_| !self.of.is_lie()))
    }

    fn size_hint(&self) -> Option<usize> {
        if self.of.lies > 0 { Some(usize::MAX) } else { Some(self.left) }
    }
}

/// The fields of a struct, or the entries of a map.
struct RandomEntries {
    of: RandomFormat,
    names: Option<Vec<&'static str>>,
    left: usize,
}

impl<'de> MapAccess<'de> for RandomEntries {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, Error> {
        let Some(names) = &mut self.names else {
            let Some(left) = self.left.checked_sub(1) else { return Ok(None) };
            self.left = left;
            return seed.deserialize(self.of.clone()).map(Some);
        };
        let Some(name) = names.pop() else { return Ok(None) };
        let name: StrDeserializer<'_, Error> = name.into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Error> {
        seed.deserialize(self.of.clone())
    }
}

struct RandomVariant {
    of: RandomFormat,
    names: &'static [&'static str],
}

impl<'de> EnumAccess<'de> for RandomVariant {
    type Error = Error;
    type Variant = RandomFormat;

    /// The first variant ends a type that contains itself.
    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, RandomFormat), Error> {
        let beyond = usize::from(self.of.is_lie());
        let count = if self.of.depth > DEEP { 1 } else { self.names.len() };
        let number = self.of.numbers.below(count) + beyond * self.names.len();
        let name = self.names.get(number).filter(|_| self.of.numbers.below(2) == 0);
        let variant = match name {
            Some(&name) => {
                let name: StrDeserializer<'_, Error> = name.into_deserializer();
                seed.deserialize(name)?
            }
            None => {
                let number: U32Deserializer<Error> = (number as u32).into_deserializer();
                seed.deserialize(number)?
            }
        };
        Ok((variant, self.of))
    }
}

impl<'de> VariantAccess<'de> for RandomFormat {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        self.requests.borrow_mut().push("unit variant".into());
        Ok(())
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Error> {
        self.requests.borrow_mut().push("newtype variant".into());
        seed.deserialize(self.content())
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.answer(&format!("variant {names:?}"), visitor, |format, visitor| format.fields(names, visitor))
    }
}
