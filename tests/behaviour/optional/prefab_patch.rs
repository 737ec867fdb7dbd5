//! Overrides of aspects leave all other values as they are, of whatever type.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::ops::Range;
use std::time::Duration;

use ecs::prelude::*;
use ecs::{Aspect, Prefabs};
use serde::de::{self, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};

/// A number that people read with one decimal.
#[derive(Clone, PartialEq, Debug, Default)]
struct Angle(f64);
impl Serialize for Angle {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() {
            return to.serialize_str(&format!("{:.1}", self.0));
        }
        to.serialize_f64(self.0)
    }
}
impl<'de> Deserialize<'de> for Angle {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if from.is_human_readable() {
            let text = String::deserialize(from)?;
            return text.parse().map(Self).map_err(de::Error::custom);
        }
        f64::deserialize(from).map(Self)
    }
}

/// Bytes.
#[derive(Clone, PartialEq, Debug, Default)]
struct Raw(Vec<u8>);
impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(&self.0)
    }
}
impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Bytes;
        impl<'de> de::Visitor<'de> for Bytes {
            type Value = Raw;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E: de::Error>(self, bytes: &[u8]) -> Result<Raw, E> {
                Ok(Raw(bytes.to_vec()))
            }
        }
        from.deserialize_byte_buf(Bytes)
    }
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Newtype<T>(T);
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Unit;
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Empty {}
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Kind {
    Unit,
    Newtype(Option<u8>),
    Nothing(()),
    Pair(u8, i8),
    Tuple(),
    Struct { x: u8 },
    Braces {},
}

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Every {
    n: u8,
    integers: (i128, u128, u64, i64),
    floats: (f32, f64),
    letters: (char, String, bool),
    options: (Option<Option<()>>, Option<()>, Option<Option<u8>>),
    newtypes: (Option<Newtype<Option<u8>>>, Option<Unit>),
    units: (Unit, Empty, (), [u8; 0], [u16; 2]),
    kinds: Vec<Kind>,
    by_pair: BTreeMap<(i8, bool), Vec<Option<Kind>>>,
    by_letter: BTreeMap<char, Result<u8, String>>,
    by_kind: BTreeMap<Kind, Range<i8>>,
    by_option: BTreeMap<Option<u8>, Duration>,
    by_number: BTreeMap<i64, ()>,
    address: IpAddr,
    raw: Raw,
    angle: Angle,
    inner: Inner,
}
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Inner {
    m: u8,
    angle: Angle,
    newtype: Newtype<Newtype<(u8, u8)>>,
}

impl Default for Every {
    fn default() -> Self {
        let kinds = vec![
            Kind::Unit,
            Kind::Newtype(None),
            Kind::Newtype(Some(3)),
            Kind::Nothing(()),
            Kind::Pair(1, -1),
            Kind::Tuple(),
            Kind::Struct { x: 9 },
            Kind::Braces {},
        ];
        Self {
            n: 1,
            integers: (i128::MIN, u128::MAX, u64::MAX, i64::MIN),
            floats: (f32::from_bits(0x7fc0_1234), f64::from_bits(0xfff8_0000_0000_4321)),
            letters: ('ß', "$Some".into(), true),
            options: (Some(None), Some(()), Some(None)),
            newtypes: (Some(Newtype(None)), Some(Unit)),
            units: (Unit, Empty {}, (), [], [1, 2]),
            by_pair: [((1, true), vec![None, Some(Kind::Unit)])].into(),
            by_letter: [('a', Ok(1)), ('b', Err("no".into()))].into(),
            by_kind: kinds.iter().cloned().zip(0..).map(|(kind, at)| (kind, at..9)).collect(),
            by_option: [(None, Duration::from_nanos(1)), (Some(1), Duration::from_secs(3))].into(),
            by_number: [(-1, ()), (i64::MAX, ())].into(),
            kinds,
            address: "10.0.0.1".parse().unwrap(),
            raw: Raw(vec![0, 255]),
            angle: Angle(0.123_456),
            inner: Inner { m: 1, angle: Angle(9.87654), newtype: Newtype(Newtype((1, 2))) },
        }
    }
}

#[derive(Aspect)]
struct Thing {
    every: Every,
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Hall { components { Every } }
}

#[test]
fn values_of_every_type_stay() {
    for (file, n, m) in [
        (r#"{ "e": { "Thing": { "every": { "n": 7 } } } }"#, 7, 1),
        (r#"{ "e": { "Thing": { "every": { "inner": { "m": 7 } } } } }"#, 1, 7),
    ] {
        let prefab = Prefabs::<Hall>::new().aspect::<Thing>().from_json("file", file).unwrap();
        let mut hall = Hall::new();
        let entity = prefab.spawn(&mut hall).unwrap()["e"];
        let found = hall.get::<Every>(entity).unwrap();
        let mut expected = Every { n, ..Every::default() };
        expected.inner.m = m;
        // NaN is not equal to itself
        assert_eq!(found.floats.0.to_bits(), expected.floats.0.to_bits());
        assert_eq!(found.floats.1.to_bits(), expected.floats.1.to_bits());
        expected.floats = (0.0, 0.0);
        assert_eq!(Every { floats: (0.0, 0.0), ..found.clone() }, expected);
    }
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug, Default)]
#[serde(default)]
struct Part {
    a: u8,
    b: u8,
}
impl Part {
    fn is_plain(&self) -> bool {
        *self == Self::default()
    }
}
#[derive(Component, Serialize, Deserialize, Clone, Copy, PartialEq, Debug, Default)]
struct Holder {
    #[serde(skip_serializing_if = "Part::is_plain", default)]
    part: Part,
    #[serde(skip_serializing, default)]
    quiet: u8,
    n: u8,
    look: Look,
}
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug, Default)]
struct Look {
    #[serde(skip_serializing_if = "Option::is_none", default)]
    quiet: Option<u8>,
}

thread_local!(static HOLDER: Cell<Holder> = Cell::default());

#[derive(Aspect)]
struct Holding {
    #[aspect(default = HOLDER.get())]
    holder: Holder,
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Shop { components { Holder } }
}

#[test]
fn a_part_of_a_field_that_a_later_default_omits_is_overridden() {
    let prefabs = Prefabs::<Shop>::new().aspect::<Holding>();
    let file = r#"{ "e": { "Holding": { "holder": { "part": { "a": 5 } } } } }"#;
    HOLDER.set(Holder { part: Part { a: 0, b: 1 }, ..Holder::default() });
    let prefab = prefabs.from_json("file", file).unwrap();
    for b in [2, 0] {
        HOLDER.set(Holder { part: Part { a: 0, b }, n: 3, ..Holder::default() });
        let mut shop = Shop::new();
        let entity = prefab.spawn(&mut shop).unwrap()["e"];
        let expected = Holder { part: Part { a: 5, b }, n: 3, ..Holder::default() };
        assert_eq!(shop.get(entity), Some(&expected));
    }
}

#[test]
fn a_field_that_is_never_written_is_refused_where_it_stands() {
    HOLDER.set(Holder::default());
    let prefabs = Prefabs::<Shop>::new().aspect::<Holding>();
    let file = "{ \"e\": { \"Holding\": { \"holder\": {\n\"quiet\": 5,\n\"n\": 1,\n\"look\": {} } } } }";
    let error = prefabs.from_json("file", file).unwrap_err();
    assert_eq!(error.line, 2, "{error}");
    assert!(error.to_string().contains("`Serialize` does not write a field `quiet`, so"), "{error}");
}

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug, Default)]
struct Rope {
    n: u8,
    next: Option<Box<Rope>>,
}
#[derive(Aspect)]
struct Climbing {
    rope: Rope,
}
world! {
    #[derive(Serialize, Deserialize)]
    struct Cave { components { Rope } }
}

#[test]
fn an_override_is_as_deep_as_other_values_of_a_prefab() {
    let prefabs = Prefabs::<Cave>::new().aspect::<Climbing>();
    for length in 90..110 {
        let rope = r#"{ "n": 1, "next": "#.repeat(length) + "null" + &"}".repeat(length);
        let whole = prefabs.from_json("file", &format!(r#"{{ "e": {{ "Rope": {rope} }} }}"#));
        let file = format!(r#"{{ "e": {{ "Climbing": {{ "rope": {{ "next": {rope} }} }} }} }}"#);
        let part = prefabs.from_json("file", &file);
        match part {
            Ok(prefab) => assert!(prefab.spawn(&mut Cave::new()).is_ok()),
            Err(error) => assert!(error.to_string().contains("nested more than 200 times"), "{error}"),
        }
        // the override has a value around it
        assert_eq!(whole.is_ok(), length <= 100, "{length}");
        assert_eq!(prefabs.from_json("file", &file).is_ok(), length < 100, "{length}");
    }
}
