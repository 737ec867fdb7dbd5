//! [`Layout`]: the structure of a type's serialized values as text, for instance
//! `{x: f32, y: f32}`.
//!
//! The type's `Deserialize` is run with a deserializer that records the requested kinds of values,
//! and returns dummy values: ones, and sequences of one element. Two types with the same layout
//! read the same bytes. The layout contains the names of fields and variants, not those of types.
//!
//! A first trace ends where a type rejects a dummy value, and at some depth and length. If it has
//! recorded the whole type, its text is the layout. If not, the type is traced once more, without
//! these limits: the fields of a struct are then offered by name, those with rejected values last.
//! The text of the first trace stays known, because older files contain it.
//!
//! A described type has the same text, which is read from its description. If that would lack a
//! part, as for a type that contains itself, it has a form of its own: see [`LayoutForm`].
//!
//! The trace also decides whether each value must be read back when it is saved: see
//! [`Layout::is_certain`]. The names of visitors and values, by which it decides, are in no file.

mod request;
mod trace;

use alloc::collections::BTreeMap;
use alloc::string::String;
use core::any::{TypeId, type_name};
use std::sync::{PoisonError, RwLock};

use serde::de::DeserializeOwned;

use super::sum::Checksum;
use crate::persist::erased::{ReadForm, read_value};
use crate::value::boxed::ValueBox;
use crate::value::description::ValueType;
use crate::value::layout::{LayoutForm, TypeLayout};
use trace::Tracer;

/// The layout of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    pub(crate) text: String,
    /// The text in older files, if it is another one: it lacks a part of the type.
    pub(super) former: Option<String>,
    /// Whether the type calls `deserialize_any`, which the compact form does not support.
    pub(crate) asks: bool,
    /// Whether values may contain ids of entities: an id was read, or the layout is not complete.
    pub(crate) has_ids: bool,
    /// Whether the type reads each value that it has written: the whole type was recorded, and all
    /// of it is read by derives and by `serde` itself, without a conversion that may refuse a
    /// value.
    pub(super) is_certain: bool,
}

impl Layout {
    /// Determines the layout of `T`.
    pub(crate) fn of<T: DeserializeOwned>() -> Self {
        Self::of_reader(type_name::<T>(), &|form| read_value::<T>(form).is_ok())
    }

    /// Determines the layout of the type that a function reads.
    fn of_reader(name: &'static str, read: &dyn Fn(&mut dyn ReadForm<'_>) -> bool) -> Self {
        let mut first = Tracer::new(false);
        first.trace(Some(name), read);
        if !first.is_partial {
            return first.finish(None);
        }
        let mut whole = Tracer::new(true);
        whole.trace(Some(name), read);
        whole.asks |= first.asks;
        whole.finish(Some(first.text))
    }

    /// Determines the layout of a type by its description.
    pub(crate) fn of_type(of: &'static ValueType) -> Self {
        let mut by_serde = |part: &'static ValueType| {
            let mut tracer = Tracer::new(false);
            tracer.trace(None, &|form| ValueBox::read(part, form).is_ok());
            let layout = tracer.finish(None);
            (layout.text, layout.has_ids)
        };
        let is_certain = of.is_certain();
        let mut write = |form: LayoutForm| {
            let mut tracer = Tracer::new(form != LayoutForm::First);
            let has_ids = TypeLayout::write(of, form, &mut |text| tracer.add(text), &mut by_serde)?;
            Some(Self { has_ids, is_certain, ..tracer.finish(None) })
        };
        let of_trace = write(LayoutForm::First).or_else(|| write(LayoutForm::Whole));
        of_trace.or_else(|| write(LayoutForm::Numbered)).expect("the form for all types")
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

/// The layouts that were determined, by type.
static KNOWN: RwLock<BTreeMap<TypeId, Layout>> = RwLock::new(BTreeMap::new());

/// Reads the layout of a type, which is determined once for each type.
fn known<R>(of: TypeId, determine: fn() -> Layout, read: fn(&Layout) -> R) -> R {
    let known = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(&of).map(read);
    known.unwrap_or_else(|| {
        let layout = determine();
        let read = read(&layout);
        KNOWN.write().unwrap_or_else(PoisonError::into_inner).insert(of, layout);
        read
    })
}

/// Returns [`Layout::of`] `T`, which is determined once for each type: a selection is made for each
/// client and tick.
pub(super) fn layout_of<T: DeserializeOwned + 'static>() -> Layout {
    known(TypeId::of::<T>(), Layout::of::<T>, Layout::clone)
}

/// Returns [`Layout::is_certain`] of `T`, which is determined once for each type.
pub(super) fn is_certain<T: DeserializeOwned + 'static>() -> bool {
    known(TypeId::of::<T>(), Layout::of::<T>, |layout| layout.is_certain)
}

/// Hashes texts. The hash is the same on every machine.
pub(crate) fn fingerprint<'t>(texts: impl Iterator<Item = &'t str>) -> u64 {
    let mut hash = Checksum::new();
    for text in texts {
        hash.add(text.as_bytes());
        hash.add(&[0xff]);
    }
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::trace::LONGEST;
    use super::*;
    use alloc::boxed::Box;
    use alloc::format;
    use alloc::vec::Vec;
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
