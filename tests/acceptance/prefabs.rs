//! W and R: entities from data, as files that name components and aspects.

use std::cell::Cell;

use ecs::prelude::*;
use ecs::{Aspect, Prefabs};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)]
struct Health {
    now: i32,
    max: i32,
}
#[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)]
struct Speed(u32);
#[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)]
struct Serial(u32);
#[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)]
struct Bag {
    items: Vec<Entity>,
}

thread_local!(static SERIAL: Cell<u32> = const { Cell::new(0) });

#[derive(Aspect)]
struct Body {
    #[aspect(default = Health { now: 5, max: 5 })]
    health: Health,
    speed: Speed,
}
#[derive(Aspect)]
struct Monster {
    #[aspect(.health.max = 9, .speed = Speed(2))]
    body: Body,
    #[aspect(default = Serial(SERIAL.replace(SERIAL.get() + 1)))]
    serial: Serial,
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Story { components { Health, Speed, Serial, Bag } }
}

fn content() -> Prefabs<Story> {
    Prefabs::new().aspect::<Body>().aspect::<Monster>()
}

#[test]
fn w34_a_file_overrides_the_outer_aspect_which_overrides_the_inner() {
    let file = r#"{
        "plain": { "Body": {} },
        "outer": { "Monster": {} },
        "file":  { "Monster": { "body": { "health": { "now": 3 } } } }
    }"#;
    let mut story = Story::new();
    let placed = content().from_json("pack.json", file).unwrap().spawn(&mut story).unwrap();
    assert_eq!(story.get(placed["plain"]), Some(&Health { now: 5, max: 5 }));
    assert_eq!(story.get(placed["outer"]), Some(&Health { now: 5, max: 9 }));
    assert_eq!(story.get(placed["file"]), Some(&Health { now: 3, max: 9 }));
}

#[test]
fn w35_a_factory_makes_a_fresh_value_for_each_entity_of_a_file() {
    let pack = content().from_json("pack.json", r#"{ "a": { "Monster": {} }, "b": { "Monster": {} } }"#);
    let (pack, mut story) = (pack.unwrap(), Story::new());
    let ids: Vec<Entity> = (0..2)
        .flat_map(|_| {
            let placed = pack.spawn(&mut story).unwrap();
            [placed["a"], placed["b"]]
        })
        .collect();
    let serials: Vec<u32> = ids.iter().map(|&id| story.get::<Serial>(id).unwrap().0).collect();
    assert!(serials.windows(2).all(|pair| pair[1] == pair[0] + 1), "{serials:?}");
}

#[test]
fn w33_a_component_twice_by_a_file_is_an_error_with_both_places() {
    let error = content().from_json("x.json", r#"{ "a": { "Monster": {}, "Body": {} } }"#).unwrap_err();
    assert!(
        error.to_string().ends_with("it occurs twice: as `Monster.body.health` and as `Body.health`"),
        "{error}"
    );
}

#[test]
fn r08_files_build_entities_with_very_different_loadouts() {
    let file = r#"{
        "hero":  { "Body": { "health": { "now": 20, "max": 20 } }, "Bag": { "items": ["sword", "lamp"] } },
        "rat":   { "Monster": { "body": { "health": { "now": 1, "max": 1 }, "speed": 9 } } },
        "sword": {},
        "lamp":  { "Serial": 77 }
    }"#;
    let mut story = Story::new();
    let placed = content().from_json("cellar.json", file).unwrap().spawn(&mut story).unwrap();
    let counts =
        ["hero", "rat", "sword", "lamp"].map(|name| story.entity(placed[name]).unwrap().components().count());
    assert_eq!(counts, [3, 3, 0, 1]);
    let items = vec![placed["sword"], placed["lamp"]];
    assert_eq!(story.get(placed["hero"]), Some(&Bag { items }));
}
