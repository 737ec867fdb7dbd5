//! [`Layout`]: the structure of a type's serialized values as text, for instance `{x: f32, y: f32}`.
//!
//! The type's `Deserialize` is run with a deserializer that records the requested kinds of values,
//! and returns dummy values: ones, and sequences of one element. Two types with the same layout read
//! the same bytes. The layout contains the names of fields and variants, not those of types.
//!
//! A first trace ends where a type rejects a dummy value, and at some depth and length. If it has
//! recorded the whole type, its text is the layout. If not, the type is traced once more, without
//! these limits: the fields of a struct are then offered by name, those with rejected values last.
//! The text of the first trace stays known, because older files contain it.
//!
//! The trace also decides whether each value must be read back when it is saved: see
//! [`Layout::is_certain`]. The names of visitors and values, by which it decides, are in no file.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::any::{TypeId, type_name};
use core::cell::Cell;
use std::sync::{PoisonError, RwLock};

use serde::de::{self, DeserializeOwned, DeserializeSeed, IntoDeserializer, Visitor};

use super::sum::Checksum;
use crate::persist::compact::{DEPTH, Fault};

/// The layout of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    pub(crate) text: String,
    /// The text in older files, if it is another one: it lacks a part of the type.
    pub(super) former: Option<String>,
    /// Whether the type calls `deserialize_any`, which the compact form does not support.
    pub(crate) asks: bool,
    /// Whether values may contain ids of entities: an id was read, or the layout is not complete.
    pub(crate) has_ids: bool,
    /// Whether the type reads each value that it has written: the whole type was recorded, and all
    /// of it is read by derives and by `serde` itself, without a conversion that may refuse a value.
    pub(super) is_certain: bool,
}

/// The nesting beyond which dummy sequences are empty, so that recursive types end.
const DEEP: usize = 6;
/// The nesting at which recording stops.
const DEEPEST: usize = 40;
/// The approximate maximal length of the text, in bytes. A hash stands for the rest of a longer one.
const LONGEST: usize = 4000;
/// The number of requests after which the trace of a whole type stops.
const MOST: usize = 1 << 20;

impl Layout {
    /// Determines the layout of `T`.
    pub(crate) fn of<T: DeserializeOwned>() -> Self {
        let mut first = Tracer::new(false);
        first.trace::<T>();
        if !first.is_partial {
            return first.finish(None);
        }
        let mut whole = Tracer::new(true);
        whole.trace::<T>();
        whole.asks |= first.asks;
        whole.finish(Some(first.text))
    }

    /// Whether a file with this layout has values of the type.
    pub(super) fn is(&self, saved: &str) -> bool {
        self.text == saved || self.former.as_deref() == Some(saved)
    }

    /// The text in older files.
    pub(super) fn former(&self) -> &str {
        self.former.as_deref().unwrap_or(&self.text)
    }
}

/// Whether types read each value that they have written, by type.
static CERTAIN: RwLock<BTreeMap<TypeId, bool>> = RwLock::new(BTreeMap::new());

/// Returns [`Layout::is_certain`] of `T`, which is determined once for each type.
pub(super) fn is_certain<T: DeserializeOwned + 'static>() -> bool {
    let known = CERTAIN.read().unwrap_or_else(PoisonError::into_inner).get(&TypeId::of::<T>()).copied();
    known.unwrap_or_else(|| {
        let is_certain = Layout::of::<T>().is_certain;
        CERTAIN.write().unwrap_or_else(PoisonError::into_inner).insert(TypeId::of::<T>(), is_certain);
        is_certain
    })
}

/// An enum that was met.
struct TracedEnum {
    /// The names of its variants.
    names: String,
    /// The name of its type.
    of: &'static str,
    count: usize,
    /// The number of variants recorded so far.
    seen: usize,
    /// A variant whose dummy value was accepted.
    accepted: Option<usize>,
}

/// A struct of which a field rejected its dummy value.
struct RejectingStruct {
    /// The name of its type.
    of: &'static str,
    fields: &'static [&'static str],
    /// The fields that reject their values, the one that was offered last at the end.
    rejecting: Vec<usize>,
    /// The names that belong to fields with another name in the list.
    aliases: Vec<usize>,
}

struct Tracer {
    /// Whether the whole type is recorded.
    whole: bool,
    text: String,
    /// The hash of the text beyond [`LONGEST`].
    rest: Checksum,
    has_rest: bool,
    /// The number of requests so far.
    requests: usize,
    depth: usize,
    asks: bool,
    /// Whether an id was read, or the rest of a value was not recorded.
    has_ids: bool,
    /// Whether a part of the type was not recorded.
    is_partial: bool,
    /// Whether a value is read by unknown code, or converted after it was read.
    is_converted: bool,
    /// The name of the type that makes the next request, if it is known.
    asking: Option<&'static str>,
    enums: Vec<TracedEnum>,
    /// The enums of this pass. Two enums with the same names count as one in the first trace, so
    /// that not all variants of both are recorded.
    met: Vec<usize>,
    structs: Vec<RejectingStruct>,
    /// The names of the types that surround the current request.
    open: Vec<&'static str>,
    /// The number of surrounding types within themselves: their options and sequences are empty.
    repeated: usize,
    /// Whether this pass has recorded something new.
    is_new: bool,
}

/// Whether a visitor is a derived one, or one of `serde` or of this library.
fn is_known_visitor(name: &str) -> bool {
    let of_crate = ["serde::de::impls::", "serde_core::de::impls::", concat!(env!("CARGO_CRATE_NAME"), "::")];
    of_crate.iter().any(|prefix| name.starts_with(prefix)) || is_derived(name)
}

/// Whether a visitor is one of a derive.
fn is_derived(name: &str) -> bool {
    name.contains("::_::<impl serde") && name.contains("::__Visitor")
}

/// Whether values of type `value` are those of type `of`, perhaps in a box.
fn is_same(of: &str, value: &str) -> bool {
    let boxed = of.strip_prefix("alloc::boxed::Box<").and_then(|of| of.strip_suffix('>'));
    of == value || boxed == Some(value) || (boxed == Some("str") && value == "alloc::string::String")
}

impl Tracer {
    fn new(whole: bool) -> Self {
        Self {
            whole,
            text: String::with_capacity(128),
            rest: Checksum::new(),
            has_rest: false,
            requests: 0,
            depth: 0,
            asks: false,
            has_ids: false,
            is_partial: false,
            is_converted: false,
            asking: None,
            enums: Vec::new(),
            met: Vec::new(),
            structs: Vec::new(),
            open: Vec::new(),
            repeated: 0,
            is_new: false,
        }
    }

    /// Runs the type's `Deserialize` until nothing new is recorded.
    fn trace<T: DeserializeOwned>(&mut self) {
        let mut idle = 0;
        loop {
            (self.depth, self.repeated, self.is_new) = (0, 0, false);
            self.asking = Some(type_name::<T>());
            self.met.clear();
            self.open.clear();
            if T::deserialize(&mut *self).is_err() {
                self.add("!");
                self.is_partial = true;
            }
            let more = self.enums.iter().any(|of| of.seen < of.count);
            let done = if self.whole {
                // a field that rejects its value hides those after it, so it takes turns with the others
                idle = if self.is_new { 0 } else { idle + 1 };
                let turns: usize = self.structs.iter().map(|of| of.rejecting.len()).sum();
                !(more || self.is_partial) || idle > turns || self.requests > MOST
            } else {
                !more || self.text.len() > LONGEST
            };
            if done {
                self.is_partial |= more;
                return;
            }
            self.add(" | ");
        }
    }

    fn finish(mut self, former: Option<String>) -> Layout {
        if self.has_rest {
            self.text.push_str(&format!("#{:016x}", self.rest.finish()));
        }
        Layout {
            former: former.filter(|former| *former != self.text),
            text: self.text,
            asks: self.asks,
            has_ids: self.has_ids | self.is_partial,
            is_certain: !self.is_partial && !self.is_converted,
        }
    }

    fn add(&mut self, text: &str) {
        if self.whole && self.text.len() > LONGEST {
            self.rest.add(text.as_bytes());
            self.has_rest = true;
        } else {
            self.text.push_str(text);
        }
    }

    fn note(&mut self, text: &str) -> Result<(), Fault> {
        self.requests += 1;
        if if self.whole { self.requests > MOST } else { self.text.len() > LONGEST } {
            return Err(Fault::end());
        }
        self.add(text);
        Ok(())
    }

    /// Notes the visitor of a request.
    fn visited_by<'de, V: Visitor<'de>>(&mut self) {
        let is_whole = self.asking.take().is_some_and(|of| is_same(of, type_name::<V::Value>()));
        self.is_converted |= !is_whole || !is_known_visitor(type_name::<V>());
    }

    fn nested<T>(
        &mut self,
        (open, close): (&str, &str),
        of: Option<&'static str>,
        read: impl FnOnce(&mut Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        self.note(open)?;
        if self.depth == if self.whole { DEPTH as usize } else { DEEPEST } {
            return Err(Fault::end());
        }
        let repeats = of.is_some_and(|of| self.whole && self.open.contains(&of));
        self.open.extend(of);
        self.repeated += usize::from(repeats);
        self.depth += 1;
        let value = read(self)?;
        self.depth -= 1;
        self.repeated -= usize::from(repeats);
        self.open.truncate(self.open.len() - usize::from(of.is_some()));
        self.note(close)?;
        Ok(value)
    }

    /// Whether sequences and options are empty here.
    fn is_deep(&mut self) -> bool {
        if self.whole {
            return self.repeated > 0;
        }
        self.is_partial |= self.depth > DEEP;
        self.depth > DEEP
    }

    /// The number of elements of a dummy sequence.
    fn few(&mut self) -> usize {
        usize::from(!self.is_deep())
    }

    /// Chooses the variant of an enum. Returns its position in `enums`, its index, and whether the
    /// enum is met for the first time.
    fn variant(&mut self, names: &str, of: &'static str, count: usize) -> (usize, usize, bool) {
        let known =
            self.enums.iter().position(|known| known.names == names && (!self.whole || known.of == of));
        let at = known.unwrap_or_else(|| {
            let new = TracedEnum { names: names.into(), of, count, seen: 0, accepted: None };
            self.enums.push(new);
            self.enums.len() - 1
        });
        self.is_partial |= self.met.contains(&at) && self.enums[at].of != of;
        self.met.push(at);
        let known = &mut self.enums[at];
        let is_unseen = known.seen < known.count;
        let index = match known.accepted.filter(|_| self.whole) {
            _ if is_unseen => known.seen,
            Some(accepted) => accepted,
            // a type within itself that has no other variant would not end
            None if self.repeated > 0 => count,
            None => 0,
        };
        let is_first = known.seen == 0;
        known.seen += 1;
        self.is_new |= is_unseen;
        (at, index, is_first)
    }

    /// Offers the fields of a struct. `of` is the name of its type.
    fn fields<'de, V: Visitor<'de>>(
        &mut self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let of = type_name::<V>();
        let known = self.structs.iter().position(|known| known.of == of && known.fields == fields);
        let Some(at) = known.filter(|_| self.whole) else {
            let value = visitor.visit_seq(TracedElements::named(self, fields));
            if value.is_err() && self.whole {
                self.is_new = true;
                self.structs.push(RejectingStruct { of, fields, rejecting: Vec::new(), aliases: Vec::new() });
            }
            return value;
        };
        let known = &self.structs[at];
        let accepted = (0..fields.len())
            .filter(|field| !known.rejecting.contains(field) && !known.aliases.contains(field));
        let order: Vec<usize> = accepted.chain(known.rejecting.iter().copied()).collect();
        let offered = Cell::new(None);
        let value = visitor.visit_map(OfferedFields {
            tracer: self,
            fields,
            order: order.into_iter(),
            offered: &offered,
        });
        if let (Err(_), Some((field, is_requested))) = (&value, offered.get()) {
            let known = &mut self.structs[at];
            let list = if is_requested { &mut known.rejecting } else { &mut known.aliases };
            self.is_new |= !list.contains(&field);
            list.retain(|other| *other != field);
            list.push(field);
        }
        value
    }
}

/// The fields of a struct by name, in another order than that of the struct.
struct OfferedFields<'t, 'o> {
    tracer: &'t mut Tracer,
    fields: &'static [&'static str],
    order: alloc::vec::IntoIter<usize>,
    /// The last field, and whether its value was requested.
    offered: &'o Cell<Option<(usize, bool)>>,
}

impl<'de> de::MapAccess<'de> for OfferedFields<'_, '_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let is_first = self.offered.get().is_none();
        let Some(field) = self.order.next() else {
            self.offered.set(None);
            return Ok(None);
        };
        self.offered.set(Some((field, false)));
        if !is_first {
            self.tracer.note(", ")?;
        }
        let name: de::value::StrDeserializer<'_, Fault> = self.fields[field].into_deserializer();
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        if let Some((field, _)) = self.offered.get() {
            self.offered.set(Some((field, true)));
            self.tracer.note(self.fields[field])?;
        }
        self.tracer.note(": ")?;
        self.tracer.asking = Some(type_name::<V::Value>());
        seed.deserialize(&mut *self.tracer)
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
        self.tracer.asking = Some(type_name::<T::Value>());
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
        self.tracer.asking = Some(type_name::<V::Value>());
        seed.deserialize(&mut *self.tracer)
    }
}

macro_rules! leaves {
    ($($name:ident $visit:ident $value:expr, $text:literal;)*) => {$(
        fn $name<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            self.visited_by::<V>();
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
        self.visited_by::<V>();
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
        self.visited_by::<V>();
        if self.is_deep() {
            self.note("?")?;
            return visitor.visit_none();
        }
        let of = type_name::<V::Value>();
        self.nested(("Option<", ">"), Some(of), |tracer| {
            let content = of.strip_prefix("core::option::Option<");
            tracer.asking = content.and_then(|content| content.strip_suffix('>'));
            visitor.visit_some(tracer)
        })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        if name == crate::entity::saved::ids::TOKEN {
            self.has_ids = true;
            self.asking = None;
            self.note("Entity")?;
            return visitor.visit_u64(1 << 32);
        }
        self.visited_by::<V>();
        self.nested(("", ""), Some(type_name::<V::Value>()), |tracer| {
            // as a sequence, the derive names the type of its field
            match is_derived(type_name::<V>()) {
                true => visitor.visit_seq(TracedElements::new(tracer, 1)),
                false => visitor.visit_newtype_struct(tracer),
            }
        })
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.visited_by::<V>();
        let count = self.few();
        self.nested(("[", "]"), Some(type_name::<V::Value>()), |tracer| {
            visitor.visit_seq(TracedElements::new(tracer, count))
        })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Fault> {
        self.visited_by::<V>();
        self.nested(("(", ")"), Some(type_name::<V::Value>()), |tracer| {
            visitor.visit_seq(TracedElements::new(tracer, length))
        })
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
        self.visited_by::<V>();
        let count = self.few();
        self.nested(("map{", "}"), Some(type_name::<V::Value>()), |tracer| {
            visitor.visit_map(TracedElements::new(tracer, count))
        })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.visited_by::<V>();
        self.nested(("{", "}"), Some(type_name::<V::Value>()), |tracer| tracer.fields(fields, visitor))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.visited_by::<V>();
        let names = variants.join(" ");
        let of = type_name::<V::Value>();
        let (at, index, is_first) = self.variant(&names, of, variants.len());
        let Some(variant) = variants.get(index) else { return Err(Fault::end()) };
        let listed = if is_first { format!("enum[{names}]") } else { String::new() };
        let open = format!("{listed}::{variant}");
        let value = self.nested((&open, ""), Some(of), |tracer| {
            visitor.visit_enum(TracedVariant { tracer, index: index as u32, of })
        })?;
        self.enums[at].accepted = Some(index);
        Ok(value)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        // a tag, of which only the first value is recorded
        self.is_partial = true;
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
    /// The name of the enum's type.
    of: &'static str,
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
        self.tracer.nested(("(", ")"), None, |tracer| {
            tracer.asking = Some(type_name::<T::Value>());
            seed.deserialize(tracer)
        })
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Fault> {
        self.tracer.asking = Some(self.of);
        self.tracer.visited_by::<V>();
        self.tracer.nested(("(", ")"), None, |tracer| visitor.visit_seq(TracedElements::new(tracer, length)))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.tracer.asking = Some(self.of);
        self.tracer.visited_by::<V>();
        self.tracer.nested(("{", "}"), None, |tracer| tracer.fields(fields, visitor))
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
    fn in_older_files_sequences_are_empty_beyond_a_depth_and_options_end() {
        type Two<T> = Vec<Vec<T>>;
        fn texts<T: DeserializeOwned>() -> [String; 2] {
            let layout = Layout::of::<T>();
            [layout.text.clone(), layout.former().into()]
        }
        let same = |texts: [String; 2], text| assert_eq!(texts, [text; 2]);
        same(texts::<Two<Two<Two<Vec<u8>>>>>(), "[[[[[[[u8]]]]]]]");
        same(texts::<Two<Two<Two<Option<u8>>>>>(), "[[[[[[Option<u8>]]]]]]");
        assert_eq!(texts::<Two<Two<Two<Two<u8>>>>>(), ["[[[[[[[[u8]]]]]]]]", "[[[[[[[[]]]]]]]]"]);
        let deep = texts::<Two<Two<Two<Vec<Option<u8>>>>>>();
        assert_eq!(deep, ["[[[[[[[Option<u8>]]]]]]]", "[[[[[[[?]]]]]]]"]);
    }

    /// A text that refuses the dummy value.
    #[derive(Deserialize)]
    #[serde(try_from = "String")]
    struct Checked;
    impl TryFrom<String> for Checked {
        type Error = &'static str;
        fn try_from(_: String) -> Result<Self, &'static str> {
            Err("no")
        }
    }

    #[test]
    fn fields_beside_a_rejected_value_are_recorded() {
        #[derive(Deserialize)]
        #[allow(dead_code)]
        struct Hero {
            #[serde(alias = "name")]
            title: Checked,
            level: u8,
            other: Option<Checked>,
            side: Option<bool>,
        }
        let layout = Layout::of::<(u8, Hero)>();
        assert_eq!(layout.former(), "(u8, {name: str!");
        let fields = "level: u8, side: Option<bool>";
        for other in ["name: str!", "other: Option<str!"] {
            let pass = format!("(u8, {{{fields}, {other}");
            assert!(layout.text.contains(&pass), "{} has no {pass}", layout.text);
        }
        assert!(layout.is(&layout.text) && layout.is("(u8, {name: str!") && !layout.is("(u8, {"));
        assert!(layout.has_ids && !layout.is_certain);
    }

    #[test]
    fn the_rest_of_a_long_layout_is_a_hash() {
        let [one, two] = [Layout::of::<([[u16; 32]; 32], u8)>(), Layout::of::<([[u16; 32]; 32], i8)>()];
        assert!(one.text.len() < 2 * LONGEST && one.text != two.text);
        assert_eq!(one.former, two.former);
        assert!(one.is_certain && !one.has_ids);
    }

    #[test]
    fn a_type_within_itself_is_recorded_once() {
        #[derive(Deserialize)]
        #[allow(dead_code)]
        struct List {
            of: u8,
            next: Option<Box<List>>,
        }
        let layout = Layout::of::<List>();
        assert_eq!(layout.text, "{of: u8, next: Option<{of: u8, next: ?}>}");
        assert!(layout.is_certain && !layout.has_ids);
        #[derive(Deserialize)]
        #[allow(dead_code)]
        enum Tree {
            Node(Box<Tree>, Vec<Tree>),
            Leaf(u8),
        }
        let layout = Layout::of::<Tree>();
        assert_eq!(layout.text, "enum[Node Leaf]::Node(::Leaf(u8), [::Leaf(u8)])");
        assert!(layout.is_certain && !layout.has_ids);
    }

    #[test]
    fn a_type_is_certain_if_no_value_can_be_refused() {
        #[derive(Deserialize)]
        #[allow(dead_code)]
        enum Kind<T> {
            Unit,
            One(T),
            Two(u8, T),
            Named { of: Option<T>, boxed: Box<T> },
        }
        #[derive(Deserialize)]
        #[allow(dead_code)]
        struct Newtype(Vec<Option<Kind<String>>>);
        #[derive(Deserialize)]
        #[allow(dead_code)]
        #[serde(tag = "t", content = "c")]
        enum Tagged {
            One(u8),
            None,
        }
        /// Accepts the dummy value.
        #[derive(Deserialize)]
        #[allow(dead_code)]
        #[serde(try_from = "u32")]
        struct Percent(u32);
        impl TryFrom<u32> for Percent {
            type Error = &'static str;
            fn try_from(number: u32) -> Result<Self, &'static str> {
                Some(Self(number)).filter(|_| number <= 100).ok_or("too many")
            }
        }
        #[derive(Deserialize)]
        #[allow(dead_code)]
        struct Of<T>(T);
        fn certain<T: DeserializeOwned>() -> bool {
            Layout::of::<T>().is_certain
        }
        assert!(certain::<Newtype>() && certain::<Kind<crate::Entity>>() && certain::<[f32; 32]>());
        assert!(certain::<(bool, Box<str>, BTreeMap<u8, (char, ())>, core::time::Duration)>());
        assert!(certain::<Of<u8>>() && certain::<Option<Of<Of<[i64; 2]>>>>());
        assert!(!certain::<Tagged>() && !certain::<Kind<Tagged>>() && !certain::<Percent>());
        assert!(!certain::<Of<Percent>>() && !certain::<Kind<Percent>>() && !certain::<Vec<Percent>>());
        assert!(!certain::<[Option<Percent>; 2]>() && !certain::<BTreeMap<u8, Percent>>());
        assert!(!certain::<(Percent, u8)>() && !certain::<Checked>() && !certain::<Box<Percent>>());
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
