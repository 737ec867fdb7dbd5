//! [`Layout`]: the structure of a type's serialized values as text, for instance `{x: f32, y: f32}`.
//!
//! The type's `Deserialize` is run with a deserializer that records the requested kinds of values, and returns dummy values: ones, and
//! sequences of one element. Two types with the same layout read the same bytes. The layout contains the names of fields and
//! variants, not those of types.
//!
//! If a type rejects a dummy value, its layout ends at this point.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use serde::de::{self, DeserializeOwned, DeserializeSeed, IntoDeserializer, Visitor};

use crate::persist::compact::Fault;
use crate::persist::erased::{ReadForm, read_value};
use crate::value::description::ValueType;

/// The layout of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    pub(crate) text: String,
    /// Whether the type calls `deserialize_any`, which the compact form does not support.
    pub(crate) asks: bool,
    /// Whether values may contain ids of entities: an id was read, or the layout is not complete.
    pub(crate) has_ids: bool,
}

/// The nesting beyond which dummy sequences are empty, so that recursive types end.
const DEEP: usize = 6;
/// The nesting at which recording stops.
const DEEPEST: usize = 40;
/// The approximate maximal length of the text, in bytes.
const LONGEST: usize = 4000;

impl Layout {
    /// Determines the layout of `T`.
    pub(crate) fn of<T: DeserializeOwned>() -> Self {
        Self::traced(|form| read_value::<T>(form).is_ok())
    }

    /// Determines the layout of a type by its description.
    pub(crate) fn of_type(of: &'static ValueType) -> Self {
        Self::traced(|form| of.trace(form))
    }

    /// Determines the layout of the type that a function reads. The function returns `false` if it cannot read a dummy value.
    fn traced(read: impl Fn(&mut dyn ReadForm<'_>) -> bool) -> Self {
        let mut tracer = Tracer { text: String::with_capacity(128), ..Tracer::default() };
        loop {
            tracer.depth = 0;
            tracer.met.clear();
            let whole = read(&mut <dyn ReadForm<'_>>::of(&mut tracer));
            if !whole {
                tracer.text.push('!');
                tracer.has_ids = true;
            }
            let more = tracer.enums.iter().any(|(_, count, seen)| seen < count);
            if !more || tracer.text.len() > LONGEST {
                tracer.has_ids |= more;
                break;
            }
            tracer.text.push_str(" | ");
        }
        Self { text: tracer.text, asks: tracer.asks, has_ids: tracer.has_ids }
    }
}

#[derive(Default)]
struct Tracer {
    text: String,
    depth: usize,
    asks: bool,
    /// Whether an id was read, or the rest of a value was not recorded.
    has_ids: bool,
    /// For each enum: the names of its variants, their number, and the number of variants recorded so far.
    enums: Vec<(String, usize, usize)>,
    /// The enums of this pass. Two enums with the same names count as one, so that not all variants of both are recorded.
    met: Vec<usize>,
}

impl Tracer {
    fn note(&mut self, text: &str) -> Result<(), Fault> {
        if self.text.len() > LONGEST {
            return Err(Fault::end());
        }
        self.text.push_str(text);
        Ok(())
    }

    fn nested<T>(
        &mut self,
        open: &str,
        close: &str,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.note(open)?;
        if self.depth == DEEPEST {
            return Err(Fault::end());
        }
        self.depth += 1;
        let value = read(self)?;
        self.depth -= 1;
        self.note(close)?;
        Ok(value)
    }

    fn few(&mut self, count: usize) -> usize {
        if self.depth > DEEP {
            self.has_ids = true;
            return 0;
        }
        count
    }
}

struct TracedElements<'t> {
    tracer: &'t mut Tracer,
    left: usize,
    first: bool,
    names: &'static [&'static str],
}

impl<'t> TracedElements<'t> {
    fn new(tracer: &'t mut Tracer, left: usize) -> Self {
        Self { tracer, left, first: true, names: &[] }
    }

    fn named(tracer: &'t mut Tracer, names: &'static [&'static str]) -> Self {
        Self { tracer, left: names.len(), first: true, names }
    }
}

impl<'de> de::SeqAccess<'de> for TracedElements<'_> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        if !core::mem::take(&mut self.first) {
            self.tracer.note(", ")?;
        }
        if let [name, rest @ ..] = self.names {
            self.names = rest;
            self.tracer.note(name)?;
            self.tracer.note(": ")?;
        }
        seed.deserialize(&mut *self.tracer).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left.min(1))
    }
}

impl<'de> de::MapAccess<'de> for TracedElements<'_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        de::SeqAccess::next_element_seed(self, seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        self.tracer.note(": ")?;
        seed.deserialize(&mut *self.tracer)
    }
}

macro_rules! leaves {
    ($($name:ident $visit:ident $value:expr, $text:literal;)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            self.note($text)?;
            visitor.$visit($value)
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Tracer {
    type Error = Fault;

    leaves! {
        deserialize_bool visit_bool true, "bool";
        deserialize_u8 visit_u8 1, "u8";
        deserialize_u16 visit_u16 1, "u16";
        deserialize_u32 visit_u32 1, "u32";
        deserialize_u64 visit_u64 1, "u64";
        deserialize_u128 visit_u128 1, "u128";
        deserialize_i8 visit_i8 1, "i8";
        deserialize_i16 visit_i16 1, "i16";
        deserialize_i32 visit_i32 1, "i32";
        deserialize_i64 visit_i64 1, "i64";
        deserialize_i128 visit_i128 1, "i128";
        deserialize_f32 visit_f32 1.0, "f32";
        deserialize_f64 visit_f64 1.0, "f64";
        deserialize_char visit_char 'a', "char";
        deserialize_str visit_str "a", "str";
        deserialize_string visit_str "a", "str";
        deserialize_bytes visit_bytes b"a", "bytes";
        deserialize_byte_buf visit_bytes b"a", "bytes";
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.note("()")?;
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.depth > DEEP {
            self.has_ids = true;
            self.note("?")?;
            return visitor.visit_none();
        }
        self.nested("Option<", ">", |tracer| visitor.visit_some(tracer))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        if name == crate::entity::saved::ids::TOKEN {
            self.has_ids = true;
            self.note("Entity")?;
            return visitor.visit_u64(1 << 32);
        }
        self.nested("", "", |tracer| visitor.visit_newtype_struct(tracer))
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let count = self.few(1);
        self.nested("[", "]", |tracer| visitor.visit_seq(TracedElements::new(tracer, count)))
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Fault> {
        self.nested("(", ")", |tracer| visitor.visit_seq(TracedElements::new(tracer, length)))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let count = self.few(1);
        self.nested("map{", "}", |tracer| visitor.visit_map(TracedElements::new(tracer, count)))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.nested("{", "}", |tracer| visitor.visit_seq(TracedElements::named(tracer, fields)))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let names = variants.join(" ");
        let at = self.enums.iter().position(|(known, ..)| *known == names).unwrap_or_else(|| {
            self.enums.push((names.clone(), variants.len(), 0));
            self.enums.len() - 1
        });
        self.has_ids |= self.met.contains(&at);
        self.met.push(at);
        let (_, count, seen) = &mut self.enums[at];
        let index = if *seen < *count { *seen } else { 0 };
        let first = *seen == 0;
        *seen += 1;
        let Some(variant) = variants.get(index) else { return Err(Fault::end()) };
        let listed = if first { format!("enum[{names}]") } else { String::new() };
        let open = format!("{listed}::{variant}");
        self.nested(&open, "", |tracer| visitor.visit_enum(TracedVariant { tracer, index: index as u32 }))
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_u32(0)
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.asks = true;
        self.note("any")?;
        visitor.visit_unit()
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_any(visitor)
    }

    fn is_human_readable(&self) -> bool {
        false
    }
}

struct TracedVariant<'t> {
    tracer: &'t mut Tracer,
    index: u32,
}

impl<'de, 't> de::EnumAccess<'de> for TracedVariant<'t> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Fault> {
        let index: de::value::U32Deserializer<Fault> = self.index.into_deserializer();
        Ok((seed.deserialize(index)?, self))
    }
}

impl<'de> de::VariantAccess<'de> for TracedVariant<'_> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Fault> {
        self.tracer.nested("(", ")", |tracer| seed.deserialize(tracer))
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Fault> {
        de::Deserializer::deserialize_tuple(self.tracer, length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        de::Deserializer::deserialize_struct(self.tracer, "", fields, visitor)
    }
}

/// Hashes texts. The hash is the same on every machine.
pub(crate) fn fingerprint<'t>(texts: impl Iterator<Item = &'t str>) -> u64 {
    let mut hash = super::sum::Checksum::new();
    for text in texts {
        hash.add(text.as_bytes());
        hash.add(&[0xff]);
    }
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::boxed::Box;
    use serde::Deserialize;

    #[test]
    fn a_layout_lists_the_requests_of_a_type() {
        #[derive(Deserialize)]
        #[allow(dead_code)]
        struct Point {
            x: f32,
            y: Option<u8>,
        }
        #[derive(Deserialize)]
        #[allow(dead_code)]
        enum Shape {
            Dot(Point),
            Line { from: crate::Entity, over: Vec<u16> },
            Nothing,
        }
        assert_eq!(Layout::of::<Point>().text, "{x: f32, y: Option<u8>}");
        assert_eq!(Layout::of::<[f32; 3]>().text, "(f32, f32, f32)");
        assert_eq!(
            Layout::of::<Shape>().text,
            "enum[Dot Line Nothing]::Dot({x: f32, y: Option<u8>}) | ::Line{from: Entity, over: [u16]} | ::Nothing"
        );
    }

    #[test]
    fn a_type_that_holds_itself_has_a_layout() {
        #[derive(Deserialize)]
        #[allow(dead_code)]
        enum Tree {
            Node(Box<Tree>, Vec<Tree>),
            Leaf,
        }
        let layout = Layout::of::<Tree>();
        assert!(layout.text.len() < 2 * LONGEST && layout == Layout::of::<Tree>());
    }

    #[test]
    fn fields_beside_each_other_are_not_nested() {
        let text = Layout::of::<[Option<Vec<u8>>; 20]>().text;
        assert_eq!(text, format!("({})", ["Option<[u8]>"; 20].join(", ")));
    }

    #[test]
    fn beyond_a_depth_sequences_are_empty_and_options_end() {
        type Two<T> = Vec<Vec<T>>;
        assert_eq!(Layout::of::<Two<Two<Two<Vec<u8>>>>>().text, "[[[[[[[u8]]]]]]]");
        assert_eq!(Layout::of::<Two<Two<Two<Two<u8>>>>>().text, "[[[[[[[[]]]]]]]]");
        assert_eq!(Layout::of::<Two<Two<Two<Option<u8>>>>>().text, "[[[[[[Option<u8>]]]]]]");
        assert_eq!(Layout::of::<Two<Two<Two<Vec<Option<u8>>>>>>().text, "[[[[[[[?]]]]]]]");
        assert_eq!(Layout::of::<Two<Two<Two<[Option<Option<u8>>; 1]>>>>().text, "[[[[[[(?)]]]]]]");
    }

    #[test]
    fn an_enum_that_occurs_again_has_its_first_variant() {
        #[derive(Deserialize)]
        #[allow(dead_code)]
        enum Side {
            Left,
            Right(u8),
        }
        let text = Layout::of::<(Side, Side, Side, Side)>().text;
        assert_eq!(text, "(enum[Left Right]::Left, ::Right(u8), ::Left, ::Left)");
    }

    #[test]
    fn other_texts_have_other_fingerprints() {
        let of = |texts: &[&'static str]| fingerprint(texts.iter().copied());
        let all = [of(&[]), of(&[""]), of(&["a"]), of(&["a", "b"]), of(&["ab"]), of(&["b", "a"])];
        for (at, one) in all.iter().enumerate() {
            assert!(!all[..at].contains(one), "{at}");
        }
    }

    #[test]
    fn a_type_with_deserialize_any_is_detected() {
        #[derive(Deserialize)]
        #[serde(untagged)]
        #[allow(dead_code)]
        enum Any {
            Number(u8),
        }
        assert!(Layout::of::<Any>().asks && !Layout::of::<(u8, [u8; 4])>().asks);
    }

    #[test]
    fn types_that_may_contain_ids_are_known() {
        use crate::Entity;
        #[derive(Deserialize)]
        #[allow(dead_code, reason = "only the layout is read")]
        enum Maybe<T> {
            No,
            Yes(T),
        }
        fn has_ids<T: serde::de::DeserializeOwned>() -> bool {
            Layout::of::<T>().has_ids
        }
        assert!(has_ids::<Entity>() && has_ids::<Vec<(u8, Option<Entity>)>>() && has_ids::<Maybe<Entity>>());
        assert!(has_ids::<(Maybe<u8>, Maybe<Entity>)>(), "two enums with the same names");
        assert!(!has_ids::<([f32; 3], String, Maybe<Vec<u8>>)>());
    }
}
