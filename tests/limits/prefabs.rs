//! Hostile prefabs and definitions: their memory and time.

use std::time::{Duration, Instant};

use ecs::prefab::Definitions;
use ecs::prelude::*;
use ecs::{ChildOf, Prefab, Prefabs};
use serde::{Deserialize, Serialize};

use super::counting::most;
use super::terrain::{MIB, Terrain};

#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
struct Amount(u64);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Friends(Vec<Entity>);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Nested {
    inner: Option<Box<Nested>>,
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Land { components { Terrain, Amount, Friends, Nested, child_of: ChildOf } }
    schedule tick {}
}

/// The memory that reading a file may take.
fn allowance(bytes: usize) -> usize {
    64 * MIB + 64 * bytes
}

/// An accepted prefab can be spawned, run, saved and loaded in bounded memory and time.
fn lives(text: &str) -> Result<Land, String> {
    let start = Instant::now();
    let (land, taken) = most(|| {
        let prefab = Prefab::<Land>::from_json("hostile.json", text).map_err(|error| error.to_string())?;
        let mut land = Land::new();
        prefab.spawn(&mut land).map_err(|error| error.to_string())?;
        (0..10).for_each(|_| land.tick());
        let bytes = land.to_bytes().unwrap();
        assert_eq!(Land::load(&bytes).unwrap().hash(), land.hash());
        Ok(land)
    });
    assert!(taken < 3 * allowance(text.len()), "{taken} bytes for {} bytes", text.len());
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    land
}

fn entities(count: usize, value: impl Fn(usize) -> String) -> String {
    let entities: Vec<String> = (0..count).map(|n| format!("\"e{n}\":{}", value(n))).collect();
    format!("{{{}}}", entities.join(","))
}

#[test]
fn values_of_a_prefab_take_no_more_memory_than_the_limit() {
    let text = entities(20_000, |_| r#"{"Terrain":{"seed":1}}"#.into());
    let (read, taken) = most(|| Prefab::<Land>::from_json("terrain.json", &text).map(drop));
    let error = read.unwrap_err().to_string();
    assert!(error.contains("too much memory") && error.contains("Prefabs::memory"), "{error}");
    assert!(error.contains("`Terrain`") && error.contains("terrain.json:1:"), "{error}");
    assert!(taken < allowance(text.len()) + 64 * text.len(), "{taken}");
    // of another format, without a known length
    let (read, taken) = most(|| serde_json::from_str::<Prefab<Land>>(&text).map(drop));
    assert!(read.unwrap_err().to_string().contains("too much memory"));
    assert!(taken < allowance(text.len()) + 64 * text.len(), "{taken}");
    // with a limit of the caller
    let few = entities(100, |_| r#"{"Terrain":{"seed":1}}"#.into());
    assert!(Prefabs::<Land>::new().memory(MIB as u64).from_json("few.json", &few).is_err());
    assert!(Prefabs::<Land>::new().from_json("few.json", &few).is_ok());
    let from = &mut ron::Deserializer::from_str(r#"{"a": {"Terrain": (seed: 1)}}"#).unwrap();
    assert!(Prefabs::<Land>::new().memory(1000).read(from).is_err());
}

#[test]
fn values_of_definitions_take_no_more_memory_than_the_limit() {
    let text = r#"{"type":"terrain","schema":{"seed":1}}"#;
    let mut definitions = Definitions::<Land>::new().memory(1000);
    let error = definitions.read_json("terrain.json", text).unwrap_err().to_string();
    assert!(error.contains("too much memory"), "{error}");
    assert!(definitions.make::<Terrain>().is_none());
    let mut definitions = Definitions::<Land>::new();
    definitions.read_json("terrain.json", text).unwrap();
    assert!(definitions.make::<Terrain>().is_some_and(|terrain| terrain.seed == 1));
}

/// One entity with a long name mentions others many times.
#[test]
fn a_long_name_is_kept_once() {
    let (name, others) = ("x".repeat(100_000), vec!["\"a\""; 50_000].join(","));
    let text = format!(r#"{{"a":{{}},"{name}":{{"Friends":[{others}]}}}}"#);
    let land = lives(&text).unwrap();
    assert_eq!(land.query::<&Friends>().iter().map(|friends| friends.0.len()).sum::<usize>(), 50_000);
}

#[test]
fn hostile_prefabs_are_refused_or_live() {
    // deep nesting, in a value and at an unexpected key
    let deep = format!("{}null{}", "{\"inner\":".repeat(100_000), "}".repeat(100_000));
    for text in
        [format!(r#"{{"a":{{"Nested":{deep}}}}}"#), deep, "[".repeat(1_000_000), "{\"a\":".repeat(100_000)]
    {
        assert!(lives(&text).is_err(), "{text:.60}");
    }
    // huge numbers
    for number in ["1e400", "18446744073709551616", "-1", "1.5", &"9".repeat(100_000)] {
        assert!(lives(&format!(r#"{{"a":{{"Amount":{number}}}}}"#)).is_err(), "{number:.20}");
    }
    assert!(lives(r#"{"a":{"Amount":18446744073709551615}}"#).is_ok());
    // duplicate keys
    for text in [r#"{"a":{"Amount":1},"a":{}}"#, r#"{"a":{"Amount":1,"Amount":2}}"#] {
        let error = lives(text).unwrap_err();
        assert!(error.contains("already has") || error.contains("twice"), "{text}: {error}");
    }
    // cycles: allowed for plain relations, refused for acyclic ones
    assert!(lives(r#"{"a":{"Friends":["b"]},"b":{"Friends":["a","b"]}}"#).is_ok());
    for text in
        [r#"{"a":{"ChildOf":"a"}}"#, r#"{"a":{"ChildOf":"b"},"b":{"ChildOf":"c"},"c":{"ChildOf":"a"}}"#]
    {
        assert!(lives(text).is_err(), "{text}");
    }
    let ring = entities(100_000, |n| format!(r#"{{"ChildOf":"e{}"}}"#, (n + 1) % 100_000));
    assert!(lives(&ring).is_err());
    let chain =
        entities(100_000, |n| if n == 0 { "{}".into() } else { format!(r#"{{"ChildOf":"e{}"}}"#, n - 1) });
    assert_eq!(lives(&chain).unwrap().entities().len(), 100_000);
}

#[test]
fn many_names_take_time_in_proportion() {
    let count = std::env::var("NAMES").map_or(100_000, |names| names.parse().unwrap());
    assert_eq!(lives(&entities(count, |_| "{}".into())).unwrap().entities().len(), count);
    let error =
        lives(&entities(count, |n| if n == 0 { r#"{"Friends":["nobody"]}"#.into() } else { "{}".into() }));
    assert!(error.unwrap_err().contains("nobody"));
    let text = entities(count, |n| format!(r#"{{"Friends":["e{}"]}}"#, n / 2));
    assert!(lives(&text).is_ok());
}

#[test]
fn hostile_definitions_are_refused() {
    let read = |text: &str| {
        let start = Instant::now();
        let (read, taken) = most(|| {
            let mut definitions = Definitions::<Land>::new();
            let read = definitions.read_json("hostile.json", text).map_err(|error| error.to_string());
            assert!(read.is_ok() || definitions.make::<Amount>().is_none());
            read
        });
        assert!(taken < allowance(text.len()), "{taken} bytes for {} bytes", text.len());
        assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
        read
    };
    let amount = r#"{"type":"amount","schema":{"0":1}}"#;
    let nested = format!(
        r#"{{"type":"nested","schema":{}null{}}}"#,
        "{\"inner\":".repeat(100_000),
        "}".repeat(100_000)
    );
    assert!(read(&nested).unwrap_err().contains("recursion limit"));
    assert!(read(&"[".repeat(1_000_000)).is_err());
    assert!(read(&format!("[{}]", vec![amount; 100_000].join(","))).is_err());
    for text in [
        r#"{"type":"terrain","schema":{"seed":1},"schema":{"seed":2}}"#,
        r#"{"type":"terrain","type":"terrain","schema":{"seed":1}}"#,
        r#"{"type":"terrain","schema":{"seed":1,"seed":2}}"#,
        r#"{"type":"terrain","schema":{"seed":1e400}}"#,
        r#"{"type":"terrain","schema":{"seed":256}}"#,
        r#"[{"type":"terrain","schema":{"seed":1}},{"type":"terrain","schema":{"seed":1}}]"#,
        r#"{"type":"friends","schema":["a"]}"#,
        "",
        "null",
        "[[]]",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
    let many: Vec<String> = (0..100_000).map(|n| format!(r#"{{"type":"t{n}","schema":{{}}}}"#)).collect();
    assert!(read(&format!("[{}]", many.join(","))).unwrap_err().contains("no component"));
    assert!(read(&format!(r#"{{"type":"{}","schema":{{}}}}"#, "x".repeat(1_000_000))).is_err());
}
