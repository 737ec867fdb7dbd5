//! Prefabs: values that panic while they are made, wrong impls of serde's traits, and hostile
//! files.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::command::FailurePolicy;
use ecs::prefab::PrefabError;
use ecs::prelude::*;
use ecs::{Aspect, Prefab, Prefabs, World};
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::ser::{SerializeSeq, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use ecs_tests::fuse::{blows_up, burn};
use ecs_tests::{Ledger, Token};

thread_local! {
    /// The next action of the wrong impls.
    static LIE: Cell<u8> = const { Cell::new(0) };
    static KEPT: RefCell<Vec<Held>> = const { RefCell::new(Vec::new()) };
}

fn token() -> Token {
    burn("a factory");
    Ledger::of_thread().token()
}

/// A counted value that may panic in each of its trait impls.
#[derive(Component, Debug)]
struct Held {
    number: u32,
    #[allow(dead_code)]
    token: Token,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Held")]
struct Plain {
    number: u32,
    other: u32,
}

impl Serialize for Held {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        burn("a `Serialize`");
        Plain { number: self.number, other: 0 }.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Held {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        burn("a `Deserialize`, before");
        let token = Ledger::of_thread().token();
        let Plain { number, .. } = Plain::deserialize(deserializer)?;
        burn("a `Deserialize`, after");
        Ok(Self { number, token })
    }
}

#[derive(Component, Serialize, Deserialize, Debug)]
struct Fragile(u32);

impl Default for Fragile {
    fn default() -> Self {
        burn("a default");
        Self(1)
    }
}

#[derive(Component, Serialize, Deserialize, Default, Debug)]
#[component(requires(Fragile))]
struct Needy {
    number: u32,
}
#[derive(Component, Serialize, Deserialize, Default, Debug)]
#[component(unique)]
struct Crown(u32);

#[derive(Component, Serialize, Deserialize, Debug)]
struct Bomb(u32);

impl Drop for Bomb {
    fn drop(&mut self) {
        burn("a bomb");
    }
}
#[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)]
struct Points(Vec<Entity>);

/// A type with serde impls that differ at each call.
#[derive(Component, Default, PartialEq, Debug)]
struct Liar {
    a: u32,
    b: u32,
}

impl Serialize for Liar {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match LIE.get() {
            1 => serializer.serialize_u8(3),
            2 => {
                let mut fields = serializer.serialize_struct("Liar", 900)?;
                fields.serialize_field("a", &self.a)?;
                fields.serialize_field("a", "text")?;
                fields.end()
            }
            3 => serializer.serialize_struct("Liar", 0)?.end(),
            4 => {
                let mut fields = serializer.serialize_struct("Liar", 2)?;
                fields.serialize_field("a", &vec![7u64; 100])?;
                fields.serialize_field("b", &())?;
                fields.end()
            }
            5 => {
                let mut seq = serializer.serialize_seq(Some(usize::MAX))?;
                seq.serialize_element(&1u8)?;
                seq.end()
            }
            6 => Err(serde::ser::Error::custom("not today")),
            7 => {
                let mut fields = serializer.serialize_struct("Liar", 2)?;
                fields.skip_field("a")?;
                fields.serialize_field("b", &self.b)?;
                fields.end()
            }
            _ => {
                let mut fields = serializer.serialize_struct("Liar", 2)?;
                fields.serialize_field("a", &self.a)?;
                fields.serialize_field("b", &self.b)?;
                fields.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Liar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = Liar;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("anything")
            }
            fn visit_u8<E>(self, a: u8) -> Result<Liar, E> {
                Ok(Liar { a: a.into(), b: 0 })
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(self, mut seq: A) -> Result<Liar, A::Error> {
                let a = seq.next_element()?.unwrap_or(0);
                Ok(Liar { a, b: seq.next_element()?.unwrap_or(0) })
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Liar, A::Error> {
                let mut liar = Liar::default();
                if LIE.get() == 8 {
                    return Ok(liar); // without reading
                }
                if LIE.get() == 9 {
                    return map.next_value::<u32>().map(|a| Liar { a, b: 0 }); // the value before its key
                }
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "a" => liar.a = map.next_value()?,
                        "b" => liar.b = map.next_value()?,
                        _ => map.next_value::<IgnoredAny>().map(drop)?,
                    }
                }
                // `next_key` again after the end
                assert!(map.next_key::<String>()?.is_none() && map.next_key::<String>()?.is_none());
                Ok(liar)
            }
        }
        match LIE.get() {
            1 => deserializer.deserialize_u8(Fields),
            10 => deserializer.deserialize_newtype_struct("$ecs::Entity", Fields),
            11 => deserializer.deserialize_ignored_any(IgnoredAny).map(|_| Liar::default()),
            _ => deserializer.deserialize_struct("Liar", &["a", "b", "c"], Fields),
        }
    }
}

#[derive(Aspect)]
struct Inner {
    #[aspect(default = Held { number: 1, token: token() })]
    held: Held,
    needy: Needy,
}
#[derive(Aspect)]
struct Monster {
    inner: Inner,
    liar: Liar,
    points: Points,
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Cave { components { Held, Bomb, Fragile, Needy, Crown, Points, Liar } }
}

const PACK: &str = r#"{
    "one":   { "Held": { "number": 7, "other": 0 }, "Needy": { "number": 1 } },
    "two":   { "Monster": { "inner": { "held": { "number": 8 }, "needy": { "number": 2 } } } },
    "three": { "Monster": { "points": ["one", "two"] } }
}"#;

fn prefabs() -> Prefabs<Cave> {
    Prefabs::new().aspect::<Monster>()
}

fn settled() {
    KEPT.take();
    Ledger::of_thread().assert_settled();
}

fn held(cave: &Cave) -> Vec<u32> {
    let mut numbers: Vec<u32> = cave.query::<&Held>().iter().map(|held| held.number).collect();
    numbers.sort_unstable();
    numbers
}

#[test]
fn whatever_panics_while_it_is_read_nothing_is_leaked() {
    let blown =
        (1..100).take_while(|&at| blows_up(at, || prefabs().from_json("pack", PACK).unwrap())).count();
    assert!(blown > 8, "{blown}");
    settled();
}

#[test]
fn a_panic_while_a_prefab_is_spawned_leaves_no_entity() {
    let pack = prefabs().from_json("pack", PACK).unwrap();
    let mut cave = Cave::new();
    let blown = (1..100).take_while(|&at| {
        let blown = blows_up(at, || pack.spawn(&mut cave).unwrap());
        assert_eq!(cave.entities().iter().count(), if blown { 0 } else { 3 }, "at step {at}");
        blown
    });
    assert!(blown.count() > 6);
    assert_eq!(held(&cave), [1, 7, 8]);
    drop(cave);
    settled();
}

#[test]
fn a_panic_while_commands_spawn_a_prefab_leaves_no_entity() {
    let pack = prefabs().from_json("pack", PACK).unwrap();
    let mut cave = Cave::new();
    for at in 1..100 {
        let blown = blows_up(at, || {
            cave.with_commands(|mut commands| {
                commands.spawn_prefab(&pack);
                commands.spawn(Crown(1));
            });
        });
        assert_eq!(cave.entities().iter().count(), if blown { 0 } else { 4 }, "at step {at}");
        if !blown {
            assert!(at > 6);
            break;
        }
    }
    // the ids of entities that were never spawned are used again
    assert!(cave.entities().iter().all(|entity| entity.slot() < 64 * 8));
    drop(cave);
    settled();
}

#[test]
fn panicking_drops_while_a_prefab_is_rolled_back_leave_no_entity() {
    let entity = |name, crown| {
        format!(r#""{name}": {{ "Held": {{ "number": 1, "other": 0 }}, "Bomb": 1, "Crown": {crown} }}"#)
    };
    let two_kings = format!("{{ {}, {} }}", entity("a", 1), entity("b", 2));
    let two_kings = prefabs().from_json("x", &two_kings).unwrap();
    let mut cave = Cave::new();
    for at in 1..100 {
        let blown = blows_up(at, || assert!(two_kings.spawn(&mut cave).is_err()));
        assert_eq!((cave.entities().iter().count(), held(&cave).len()), (0, 0), "at step {at}");
        if !blown {
            assert!(at > 4);
            break;
        }
    }
    drop(cave);
    settled();
}

#[test]
fn a_panicking_handler_of_failed_commands_leaves_no_half_spawned_entity() {
    let kings =
        prefabs().from_json("x", r#"{ "a": { "Crown": 1 }, "b": { "Crown": 2, "Monster": {} } }"#).unwrap();
    let mut cave = Cave::new();
    cave.on_failed_command(FailurePolicy::Panic);
    assert!(
        catch_unwind(AssertUnwindSafe(|| cave.with_commands(|mut commands| {
            commands.spawn_prefab(&kings);
            commands.spawn(Points::default());
        })))
        .is_err()
    );
    assert_eq!(cave.entities().iter().count(), 0);
    settled();
}

#[test]
fn types_that_lie_to_serde_get_errors_or_nonsense_of_their_own() {
    let text = r#"{ "x": { "Monster": { "liar": { "a": 5 } } } }"#;
    for (when_read, when_spawned) in (0..12).flat_map(|one| (0..12).map(move |two| (one, two))) {
        LIE.set(when_read);
        let read = prefabs().from_json("x", text);
        if (when_read, when_spawned) == (0, 0) {
            assert!(read.is_ok(), "it can be read where nobody lies");
        }
        let Ok(prefab) = read else { continue };
        LIE.set(when_spawned);
        let mut cave = Cave::new();
        let count = match prefab.spawn(&mut cave) {
            Ok(placed) => placed.iter().count(),
            Err(error) => {
                assert_eq!(error.component.as_deref(), Some("Liar"), "{error}");
                0
            }
        };
        assert_eq!((cave.entities().iter().count(), held(&cave).len()), (count, count));
    }
    LIE.set(0);
    settled();
}

#[test]
fn a_value_that_is_kept_is_a_value_of_its_own() {
    let mut cave = Cave::new();
    let pack = prefabs().from_json("pack", PACK).unwrap();
    let placed = pack.spawn(&mut cave).unwrap();
    for name in ["one", "two", "three"] {
        let taken = cave.remove_one::<Held>(placed[name]).unwrap();
        KEPT.with_borrow_mut(|kept| kept.extend(taken));
    }
    drop((cave, pack));
    assert_eq!(KEPT.with_borrow(Vec::len), 3);
    settled();
}

fn mistake(text: &str) -> PrefabError {
    prefabs().from_json("bad.json", text).expect_err(text)
}

#[test]
fn files_that_mean_ill_are_refused_in_words() {
    let nested = |open: &str, close: &str| format!("{}{}", open.repeat(100_000), close.repeat(100_000));
    let deep = nested("[", "]");
    mistake(&deep);
    mistake(&format!(r#"{{ "a": {{ "Monster": {deep} }} }}"#));
    mistake(&format!(r#"{{ "a": {{ "Monster": {{ "points": {deep} }} }} }}"#));
    mistake(&nested(r#"{ "a": "#, "}"));
    mistake(&format!(r#"{{ "a": {{ "Monster": {} }} }}"#, nested(r#"{ "inner": "#, "}")));
    for number in
        ["1e999", "-1", "4294967296", "99999999999999999999999999999999999999999999", "1.5", "\"7\""]
    {
        let error = mistake(&format!(
            r#"{{ "a": {{ "Monster": {{ "inner": {{ "needy": {{ "number": {number} }} }} }} }} }}"#
        ));
        assert!(error.line == 1 && !error.reason.is_empty(), "{error}");
    }
    for twice in [
        r#"{ "a": { "Monster": { "inner": { "needy": { "number": 1, "number": 1 } } } } }"#,
        r#"{ "a": { "Monster": { "inner": { "needy": {}, "needy": {} } } } }"#,
        r#"{ "a": { "Monster": {}, "Monster": {} } }"#,
        r#"{ "a": { "Monster": {} }, "a": { "Monster": {} } }"#,
    ] {
        mistake(twice);
    }
    // a text in an id's position is a name in the file, even if it looks like an id
    for id in [
        r#""0v1@7""#,
        r#""$ecs::Entity""#,
        "4294967296",
        r#"{ "$ecs::Entity": 4294967296 }"#,
        "[4294967296]",
        "null",
    ] {
        mistake(&format!(r#"{{ "a": {{ "Monster": {{ "points": [{id}] }} }} }}"#));
    }
    let long = "x".repeat(100_000);
    mistake(&format!(r#"{{ "a": {{ "{long}": {{}} }} }}"#));
    mistake(&format!(r#"{{ "a": {{ "Monster": {{ "{long}": {{}} }} }} }}"#));
    mistake(&format!(r#"{{ "a": {{ "Monster": {{ "inner": {{ "needy": {{ "{long}": 1 }} }} }} }} }}"#));
    settled();
}

#[test]
fn a_prefab_that_was_cut_off_anywhere_is_refused() {
    for end in 0..PACK.len() {
        let error = mistake(&PACK[..end]);
        assert!(error.line > 0, "{error}");
    }
    settled();
}

#[test]
fn reading_and_spawning_from_within_are_apart() {
    thread_local!(static DEPTH: Cell<u32> = const { Cell::new(0) });

    /// A type that reads another prefab and spawns it in another world while it is deserialized.
    #[derive(Component, Debug, Default, Serialize)]
    struct Nested {
        who: Option<Entity>,
        other: u32,
    }
    impl<'de> Deserialize<'de> for Nested {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            #[derive(Deserialize)]
            #[serde(rename = "Nested")]
            struct Fields {
                who: Option<Entity>,
                other: u32,
            }
            if DEPTH.get() < 2 {
                DEPTH.set(DEPTH.get() + 1);
                let text = r#"{ "b": {}, "a": { "Nest": { "nested": { "who": "b" } } } }"#;
                let inner = Prefabs::<House>::new().aspect::<Nest>().from_json("inner", text).unwrap();
                let mut house = House::new();
                let placed = inner.spawn(&mut house).unwrap();
                assert_eq!(house.get::<Nested>(placed["a"]).and_then(|it| it.who), Some(placed["b"]));
                DEPTH.set(DEPTH.get() - 1);
            }
            let Fields { who, other } = Fields::deserialize(deserializer)?;
            Ok(Self { who, other })
        }
    }
    #[derive(Aspect)]
    struct Nest {
        nested: Nested,
    }
    world! {
        #[derive(Serialize, Deserialize)]
        struct House { components { Nested } }
    }
    let text =
        r#"{ "x": { "Nest": { "nested": { "who": "y" } } }, "y": { "Nested": { "who": "x", "other": 1 } } }"#;
    let prefab = Prefabs::<House>::new().aspect::<Nest>().from_json("outer", text).unwrap();
    let mut house = House::new();
    let placed = prefab.spawn(&mut house).unwrap();
    assert_eq!(house.get::<Nested>(placed["x"]).and_then(|it| it.who), Some(placed["y"]));
    assert_eq!(house.get::<Nested>(placed["y"]).and_then(|it| it.who), Some(placed["x"]));
}

#[test]
fn a_prefab_outlives_its_reader_and_is_spawned_in_many_worlds() {
    let pack: Prefab<Cave> = prefabs().from_json("pack", PACK).unwrap();
    let threads = (0..2).map(|_| {
        let pack = pack.clone();
        std::thread::spawn(move || {
            let mut cave = Cave::new();
            (0..50).for_each(|_| drop(pack.spawn(&mut cave).unwrap()));
            cave.entities().iter().count()
        })
    });
    let threads: Vec<_> = threads.collect();
    assert!(threads.into_iter().all(|thread| thread.join().unwrap() == 150));
}
