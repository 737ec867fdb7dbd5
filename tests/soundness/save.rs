//! Types with wrong serde impls, with panics while a save is read or written, and with nested reads
//! and writes; files with wrong lengths.

use std::cell::{Cell, RefCell};
use std::fmt;

use ecs::__private::save::reseal;
use ecs::prelude::*;
use ecs::save::{DanglingIds, diff};
use ecs::{ChildOf, Many};
use ecs_tests::Counted;
use ecs_tests::fuse::{blows_up, burn};
use serde::de::{self, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::ground::{Ledger, Token};

thread_local! {
    /// A type with another result at every call.
    static QUESTIONS: Cell<u32> = const { Cell::new(0) };
    /// The file that is read while another is read.
    static WITHIN: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// Values that a deserializer has kept.
    static KEPT: RefCell<Option<Liar>> = const { RefCell::new(None) };
}

/// The name by which the library recognizes ids in files.
const TOKEN: &str = "$ecs::Entity";

fn question() -> u32 {
    QUESTIONS.set(QUESTIONS.get().wrapping_mul(1_664_525).wrapping_add(1_013_904_223));
    QUESTIONS.get() >> 24
}

/// A type that deserializes from anything.
struct Anything;

impl<'de> Visitor<'de> for Anything {
    type Value = u64;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }
    fn visit_bool<E>(self, value: bool) -> Result<u64, E> {
        Ok(value.into())
    }
    fn visit_i64<E>(self, value: i64) -> Result<u64, E> {
        Ok(value as u64)
    }
    fn visit_u64<E>(self, value: u64) -> Result<u64, E> {
        Ok(value)
    }
    fn visit_str<E>(self, value: &str) -> Result<u64, E> {
        Ok(value.len() as u64)
    }
    fn visit_none<E>(self) -> Result<u64, E> {
        Ok(0)
    }
    fn visit_unit<E>(self) -> Result<u64, E> {
        Ok(0)
    }
    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        deserializer.deserialize_u8(self)
    }
    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        deserializer.deserialize_u64(self)
    }
    fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<u64, A::Error> {
        // reads any number of elements, independent of the length
        for _ in 0..question() % 5 {
            let _ = seq.next_element::<u8>()?;
        }
        Ok(seq.size_hint().unwrap_or(0) as u64)
    }
    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<u64, A::Error> {
        // values without keys
        for _ in 0..question() % 3 {
            let _ = map.next_value::<u8>()?;
        }
        Ok(0)
    }
}

/// A type that reads and writes another value each time.
struct Liar(#[allow(dead_code)] Token);

impl Liar {
    fn new() -> Self {
        Self(Ledger::of_thread().token())
    }
}

impl Clone for Liar {
    fn clone(&self) -> Self {
        Self::new()
    }
}

impl Serialize for Liar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match question() % 8 {
            0 => serializer.serialize_u8(7),
            1 => serializer.serialize_str("a lie"),
            2 => serializer.serialize_newtype_struct(TOKEN, "no id at all"),
            3 => serializer.serialize_newtype_struct(TOKEN, &u64::MAX),
            4 => serializer.serialize_bytes(&[0xff; 300]),
            5 => {
                let mut seq = serializer.serialize_seq(Some(1_000_000))?;
                seq.serialize_element(&1_u8)?;
                seq.end()
            }
            6 => Err(serde::ser::Error::custom("not today")),
            _ => serializer.serialize_unit(),
        }
    }
}

impl<'de> Deserialize<'de> for Liar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match question() % 10 {
            0 => deserializer.deserialize_u8(Anything),
            1 => deserializer.deserialize_str(Anything),
            2 | 3 => deserializer.deserialize_newtype_struct(TOKEN, Anything),
            4 => deserializer.deserialize_seq(Anything),
            5 => deserializer.deserialize_map(Anything),
            6 => deserializer.deserialize_tuple(usize::MAX, Anything),
            7 => deserializer.deserialize_option(Anything),
            8 => Err(de::Error::custom("not today")),
            // reads nothing
            _ => Ok(0),
        }?;
        // returns a value that another call got before
        Ok(KEPT.replace(Some(Self::new())).unwrap_or_else(Self::new))
    }
}

/// A value that may panic in each of its trait impls.
#[derive(PartialEq, Eq, Hash, Debug)]
struct Bomb(u32);

impl Clone for Bomb {
    fn clone(&self) -> Self {
        burn("Clone");
        Self(self.0)
    }
}

impl Drop for Bomb {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            burn("Drop");
        }
    }
}

impl Serialize for Bomb {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        burn("Serialize");
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Bomb {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        burn("Deserialize");
        let value = Self(u32::deserialize(deserializer)?);
        burn("Deserialize, when it was read");
        Ok(value)
    }
}

/// A type that reads and writes other worlds while it is read and written.
#[derive(Clone)]
struct Nested(u8);

impl Serialize for Nested {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut world = Well::default();
        let deep = world.spawn(Deep(Some(world_id())));
        world.spawn(ChildOf(deep));
        WITHIN.set(world.to_bytes().unwrap());
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Nested {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if let Ok(mut world) = Well::load(&WITHIN.take()) {
            let bytes = world.to_bytes().unwrap();
            let merged = world.merge(&bytes, DanglingIds::Keep).unwrap();
            assert_eq!(merged.len(), 2);
            WITHIN.set(bytes);
        }
        u8::deserialize(deserializer).map(Self)
    }
}

fn world_id() -> Entity {
    Entity::from_bits(1 << 32 | 5).unwrap()
}

#[derive(Component, Clone, Serialize, Deserialize)]
struct Lies(Liar, Option<Entity>);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(removed)]
struct Armed {
    first: Bomb,
    token: Counted,
    last: Bomb,
}
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Eq, Hash, Debug)]
#[component(key)]
struct Mined(Bomb);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Deep(Option<Entity>);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Inner(Nested);
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(many, gone = keep)]
struct Hates {
    #[target]
    whom: Entity,
    why: Bomb,
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Lair { components { Lies, Inner, Deep } }
}
world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Field { components { Armed, Mined, hates: Many<Hates>, ChildOf, Deep } }
    schedule tick { forget }
}
world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Well { components { Deep, ChildOf } }
}

#[system(Field)]
fn forget(mut gone: Removed<Armed>) {
    gone.iter().count();
}

fn assert_settled() {
    drop(KEPT.take());
    Ledger::of_thread().assert_settled();
}

#[test]
fn types_that_lie_to_saves_break_nothing_but_their_values() {
    let mut loaded = 0;
    for seed in 0..400 {
        QUESTIONS.set(seed);
        let mut lair = Lair::new();
        for n in 0..seed % 70 {
            let entity = lair.spawn(Lies(Liar::new(), None));
            lair.insert(entity, Deep(Some(entity))).unwrap();
            if n % 3 == 0 {
                lair.insert(entity, Inner(Nested(n as u8))).unwrap();
            }
        }
        let count = lair.entities().len();
        let _ = diff(&lair, &lair);
        if let Ok(text) = serde_json::to_string(&lair)
            && let Ok(mut again) = serde_json::from_str::<Lair>(&text)
        {
            loaded += 1;
            assert_eq!(again.entities().len(), count);
            let _ = again.merge_from(&mut serde_json::Deserializer::from_str(&text), DanglingIds::Keep);
            again.clear();
        }
        let Ok(mut bytes) = lair.to_bytes() else { continue };
        reseal(&mut bytes);
        if let Ok(again) = Lair::load(&bytes) {
            loaded += 1;
            assert_eq!(again.entities().len(), count);
        }
        match lair.merge(&bytes, DanglingIds::Keep) {
            Ok(merged) => assert_eq!(lair.entities().len(), count + merged.len()),
            Err(_) => assert_eq!(lair.entities().len(), count),
        }
    }
    assert!(loaded > 5, "{loaded}");
    assert_settled();
}

/// Mines with relations to each other.
fn field() -> Field {
    let mut field = Field::new();
    let root = field.spawn(Mined(Bomb(0)));
    for n in 1..5 {
        let entity = field.spawn((ChildOf(root), Mined(Bomb(n))));
        field.insert(entity, Armed { first: Bomb(n), token: Counted::new(n), last: Bomb(n) }).unwrap();
        field.relate(entity, Hates { whom: root, why: Bomb(n) }).unwrap();
        field.insert(entity, Deep(Some(root))).unwrap();
    }
    let gone = field.spawn(Armed { first: Bomb(9), token: Counted::new(9), last: Bomb(9) });
    field.relate(root, Hates { whom: gone, why: Bomb(9) }).unwrap();
    field.despawn(gone).unwrap();
    field
}

/// Calls `f` repeatedly, with a panic in each of its steps in turn. Returns the number of steps.
fn each_step(mut f: impl FnMut()) -> u32 {
    (1..).take_while(|&n| blows_up(n, &mut f)).last().unwrap_or(0)
}

#[test]
fn a_panic_in_any_step_of_saving_and_loading_leaks_nothing() {
    let whole = field();
    let (bytes, text) = (whole.to_bytes().unwrap(), serde_json::to_string(&whole).unwrap());
    let alive = Ledger::of_thread().alive();
    let even = || assert_eq!(Ledger::of_thread().alive(), alive);
    assert!(each_step(|| drop(whole.to_bytes())) >= 10);
    assert!(each_step(|| drop(serde_json::to_string(&whole))) >= 10);
    assert!(each_step(|| assert_eq!(whole.hash(), whole.hash())) >= 10);
    assert!(each_step(|| drop(Field::load(&bytes))) >= 20);
    even();
    assert!(each_step(|| drop(serde_json::from_str::<Field>(&text))) >= 20);
    even();
    // refused only at the end
    let mut short = bytes.clone();
    short.truncate(bytes.len() - 12);
    short.extend([0; 8]);
    reseal(&mut short);
    assert!(Field::load(&short).is_err());
    assert!(each_step(|| drop(Field::load(&short))) >= 20);
    even();
    drop(whole);
    assert_settled();
}

#[test]
fn a_panic_in_any_step_of_a_merge_leaves_a_world() {
    let mut part = Field::new();
    let root = part.spawn(Mined(Bomb(100)));
    for n in 101..104 {
        let entity =
            part.spawn((Mined(Bomb(n)), Armed { first: Bomb(n), token: Counted::new(n), last: Bomb(n) }));
        part.insert(entity, ChildOf(root)).unwrap();
        part.relate(entity, Hates { whom: root, why: Bomb(n) }).unwrap();
    }
    let (bytes, text) = (part.to_bytes().unwrap(), serde_json::to_string(&part).unwrap());
    for people in [false, true] {
        let steps = (1..200).take_while(|&n| {
            let mut world = field();
            let blown = blows_up(n, || match people {
                false => drop(world.merge(&bytes, DanglingIds::Refuse).unwrap()),
                true => drop(
                    world
                        .merge_from(&mut serde_json::Deserializer::from_str(&text), DanglingIds::Refuse)
                        .unwrap(),
                ),
            });
            // a merged world is a valid world
            for entity in world.entities().iter().collect::<Vec<_>>() {
                assert!(world.contains(entity));
                let _ = (world.sources::<ChildOf>(entity).len(), world.sources::<Hates>(entity).len());
            }
            world.tick();
            let root = world.find_one::<Mined>(&Mined(Bomb(0))).unwrap();
            world.despawn(root).unwrap();
            world.clear();
            blown
        });
        assert!(steps.count() > 10);
    }
    drop(part);
    assert_settled();
}

#[test]
fn a_merge_that_is_refused_leaves_no_trace() {
    let mut world = field();
    // as if it had existed before
    world.tick();
    let before = (world.to_bytes().unwrap(), serde_json::to_string(&world).unwrap());
    let mut part = Field::new();
    part.spawn(Armed { first: Bomb(1), token: Counted::new(1), last: Bomb(1) });
    part.spawn(Mined(Bomb(3)));
    let (bytes, text) = (part.to_bytes().unwrap(), serde_json::to_string(&part).unwrap());
    let said = world.merge(&bytes, DanglingIds::Keep).unwrap_err().to_string();
    assert!(
        said.contains("component `Mined` of entity") && said.contains("the component is a key"),
        "{said}"
    );
    let said = world.merge_from(&mut serde_json::Deserializer::from_str(&text), DanglingIds::Keep);
    assert!(said.unwrap_err().to_string().contains("the component is a key"));
    // the removal log is restored, too: it is empty
    assert_eq!((world.to_bytes().unwrap(), serde_json::to_string(&world).unwrap()), before);
    drop((world, part));
    assert_settled();
}

/// A value without bytes in a file that takes much memory.
#[derive(Clone, Serialize, Deserialize)]
struct Balloon {
    #[serde(skip, default = "air")]
    _air: [u64; 512],
}

fn air() -> [u64; 512] {
    BLOWN.set(BLOWN.get() + 1);
    [0; 512]
}

thread_local! {
    static BLOWN: Cell<u32> = const { Cell::new(0) };
}

#[derive(Component, Clone, Serialize, Deserialize)]
struct Balloons(Vec<Balloon>);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Units(Vec<()>);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Fair { components { Balloons, Units } }
}

/// Changes the last `from` in the file to `to`.
fn patched(mut bytes: Vec<u8>, from: [u8; 4], to: [u8; 4]) -> Vec<u8> {
    let at = bytes.windows(4).rposition(|window| window == from).unwrap();
    bytes[at..at + 4].copy_from_slice(&to);
    reseal(&mut bytes);
    bytes
}

#[test]
fn a_file_gets_no_more_memory_than_its_bytes_justify() {
    let mut fair = Fair::new();
    fair.spawn(Balloons((0..77).map(|_| Balloon { _air: [0; 512] }).collect()));
    let bytes = fair.to_bytes().unwrap();
    assert_eq!(Fair::load(&bytes).unwrap().query::<&Balloons>().iter().next().unwrap().0.len(), 77);
    BLOWN.set(0);
    let forged = patched(bytes, [77, 0, 0, 0], [0xff; 4]);
    let error = Fair::load(&forged).unwrap_err().to_string();
    assert!(error.contains("too many elements that take no byte"), "{error}");
    assert!(BLOWN.get() < 4000, "{} balloons of 4096 bytes from {} bytes", BLOWN.get(), forged.len());

    // many small allocations share one limit
    let mut fair = Fair::new();
    fair.spawn_batch((0..1000).map(|_| Units(vec![(); 3])));
    let bytes = fair.to_bytes().unwrap();
    assert_eq!(Fair::load(&bytes).unwrap().query::<&Units>().iter().count(), 1000);
    let mut forged = bytes.clone();
    let (mut at, wanted) = (0, [3, 0, 0, 0]);
    while let Some(found) = bytes[at..].windows(4).position(|window| window == wanted) {
        at += found + 4;
        if bytes[at..].starts_with(&wanted) || bytes[..at - 4].ends_with(&wanted) {
            forged[at - 4..at].copy_from_slice(&1_000_000_u32.to_le_bytes());
        }
    }
    reseal(&mut forged);
    let error = Fair::load(&forged).unwrap_err().to_string();
    assert!(error.contains("too many elements that take no byte"), "{error}");
}

#[test]
fn a_world_without_entities_and_with_rules_is_loaded() {
    let empty = Field::new();
    let bytes = empty.to_bytes().unwrap();
    assert_eq!(Field::load(&bytes).unwrap().entities().len(), 0);
    let text = serde_json::to_string(&empty).unwrap();
    assert_eq!(serde_json::from_str::<Field>(&text).unwrap().entities().len(), 0);
    let text = r#"{ "components": [{ "name": "ChildOf", "layout": "Entity" }], "entities": {} }"#;
    assert_eq!(serde_json::from_str::<Field>(text).unwrap().entities().len(), 0);
    let mut field = field();
    let before = field.to_bytes().unwrap();
    assert!(field.merge(&bytes, DanglingIds::Refuse).unwrap().is_empty());
    assert_eq!(field.to_bytes().unwrap(), before);
}

#[test]
fn sections_that_come_twice_or_in_another_order_are_one_world_or_none() {
    let refused = |text: &str| serde_json::from_str::<Well>(text).map(drop).unwrap_err().to_string();
    let image = serde_json::to_value(Well::new()).unwrap()["allocator"].to_string();
    // the values of the first file have no entities in the second
    let said = refused(r#"{ "entities": { "3v1@7": { "Deep": null } }, "entities": { "9v1@7": {} } }"#);
    assert!(said.contains("no live entity"), "{said}");
    let said =
        refused(&format!(r#"{{ "entities": {{ "3v1@7": {{ "Deep": null }} }}, "allocator": {image} }}"#));
    assert!(said.contains("contain different entities") || said.contains("no live entity"), "{said}");
    let said = refused(r#"{ "systems": {}, "entities": {} }"#);
    assert!(said.contains("`systems` must be the last section"), "{said}");
    let listed = r#"{ "name": "Deep", "layout": "" }"#;
    let said = refused(&format!(r#"{{ "components": [{listed}, {listed}] }}"#));
    assert!(said.contains("occurs twice"), "{said}");
    let said =
        refused(&format!(r#"{{ "components": [{listed}], "entities": {{}}, "components": [{listed}] }}"#));
    assert!(said.contains("occurs twice"), "{said}");
    let said = refused(r#"{ "entities": { "3v1@7": { "Deep": null, "Deep": null } } }"#);
    assert!(said.contains("twice"), "{said}");
    // a merge has the same checks
    let mut well = Well::new();
    let text = r#"{ "entities": { "3v1@7": { "Deep": null } }, "entities": { "9v1@7": {} } }"#;
    let said = well.merge_from(&mut serde_json::Deserializer::from_str(text), DanglingIds::Keep).unwrap_err();
    assert!(said.to_string().contains("no live entity"), "{said}");
    assert_eq!(well.entities().len(), 0);
}

/// An id is serialized as a number with a name. A type with the same name can read it.
#[test]
fn a_forged_id_is_an_id_like_any_other() {
    #[derive(Clone, PartialEq, Debug)]
    struct Forged(u64);
    impl Serialize for Forged {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_newtype_struct(TOKEN, &self.0)
        }
    }
    impl<'de> Deserialize<'de> for Forged {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_newtype_struct(TOKEN, Anything).map(Self)
        }
    }
    #[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
    struct Forgery(Forged);
    world! { #[derive(Serialize, Deserialize)] struct Mint { components { Forgery } } }

    let mut mint = Mint::new();
    let entity = mint.spawn(());
    mint.spawn(Forgery(Forged(entity.to_bits())));
    let bytes = mint.to_bytes().unwrap();
    let merged = mint.merge(&bytes, DanglingIds::Refuse).unwrap();
    let forged: Vec<u64> = mint.query::<&Forgery>().iter().map(|forgery| forgery.0.0).collect();
    assert_eq!(forged, [entity.to_bits(), merged.get(entity).unwrap().to_bits()], "mapped, as an id is");
    // a value that is no id is refused where ids are mapped, and is a number elsewhere
    mint.spawn(Forgery(Forged(u64::MAX)));
    let bytes = mint.to_bytes().unwrap();
    assert!(mint.merge(&bytes, DanglingIds::Keep).is_err());
    assert!(Mint::load(&bytes).is_ok());
}
