//! Prefabs that name aspects: the file's values override the aspect's defaults, which are computed
//! for each entity.

use std::cell::Cell;
use std::collections::BTreeMap;

use ecs::prefab::PrefabError;
use ecs::prelude::*;
use ecs::{Aspect, ChildOf, Prefab, Prefabs};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)]
struct Health {
    now: u32,
    max: u32,
    armour: Armour,
}
#[derive(Serialize, Deserialize, Default, PartialEq, Debug)]
#[serde(rename_all = "kebab-case")]
struct Armour {
    head_gear: u8,
    #[serde(alias = "coat")]
    body_gear: Option<u8>,
}
#[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)]
struct Speed(u32);
#[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)]
struct Serial(u32);
#[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)]
enum Mood {
    #[default]
    Calm,
    Angry {
        at: Option<Entity>,
        how: u8,
    },
}
#[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)]
struct Pack {
    of: Option<Entity>,
    friends: Vec<Entity>,
    shares: BTreeMap<String, u8>,
}
#[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
struct Position {
    x: i32,
    y: i32,
}
#[derive(Component, Default, PartialEq, Debug)]
#[component(skip, requires(Shown))]
struct Sprite(u32);
#[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)]
struct Shown;
#[derive(Component, Serialize, Deserialize, Default, PartialEq, Debug)]
#[component(unique)]
struct Crown(u32);

thread_local!(static NEXT: Cell<u32> = const { Cell::new(0) });

fn serial() -> Serial {
    Serial(NEXT.replace(NEXT.get() + 1))
}

#[derive(Aspect)]
struct Body {
    #[aspect(default = Health { now: 5, max: 5, ..Health::default() })]
    health: Health,
    speed: Speed,
}
#[derive(Aspect)]
struct Mind {
    mood: Mood,
    pack: Pack,
}
#[derive(Aspect)]
struct Monster {
    #[aspect(.health.max = 7, .speed = Speed(2))]
    body: Body,
    mind: Mind,
    #[aspect(default = serial())]
    serial: Serial,
    sprite: Sprite,
}
#[derive(Aspect)]
struct King(Crown, #[aspect(default = Position { x: 1, y: 1 })] Position);

world! {
    #[derive(Serialize, Deserialize)]
    struct Game {
        components { Health, Speed, Serial, Mood, Pack, Position, Sprite, Shown, Crown, ChildOf }
    }
}

fn prefabs() -> Prefabs<Game> {
    Prefabs::new().aspect::<Monster>().aspect::<Body>().aspect::<King>()
}

fn read(text: &str) -> Prefab<Game> {
    prefabs().from_json("wolf.json", text).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_file_overrides_the_defaults_of_the_aspect() {
    let wolf = read(
        r#"{ "wolf": {
            "Monster": { "body": { "health": { "max": 9, "armour": { "head-gear": 3 } } } },
            "Position": { "x": 1, "y": 2 }
        } }"#,
    );
    let mut game = Game::new();
    let wolf = wolf.spawn(&mut game).unwrap()["wolf"];
    let armour = Armour { head_gear: 3, body_gear: None };
    assert_eq!(game.get(wolf), Some(&Health { now: 5, max: 9, armour }), "file before outer before inner");
    assert_eq!((game.get(wolf), game.get(wolf)), (Some(&Speed(2)), Some(&Mood::Calm)));
    assert_eq!(game.get(wolf), Some(&Position { x: 1, y: 2 }));
    assert_eq!(
        (game.get(wolf), game.has::<Shown>(wolf)),
        (Some(&Sprite(0)), true),
        "what is not saved comes, too"
    );
    let plain = read(r#"{ "a": { "Monster": {} }, "b": { "Monster": null, "Crown": 1 } }"#);
    let placed = plain.spawn(&mut game).unwrap();
    for (_, entity) in placed.iter() {
        assert_eq!(game.get(entity), Some(&Health { now: 5, max: 7, ..Health::default() }));
    }
}

#[test]
fn enums_newtypes_lists_and_maps_are_replaced_whole() {
    let pack = read(
        r#"{
            "wolf": { "Monster": {
                "mind": {
                    "mood": { "Angry": { "at": "hare", "how": 3 } },
                    "pack": { "friends": ["cub", "cub"], "shares": { "cub": 2 } }
                },
                "body": { "speed": 9 }
            } },
            "cub": { "Monster": { "mind": { "pack": { "of": "wolf" } } } },
            "hare": {}
        }"#,
    );
    let mut game = Game::new();
    game.spawn(());
    for _ in 0..2 {
        let placed = pack.spawn(&mut game).unwrap();
        let [wolf, cub, hare] = ["wolf", "cub", "hare"].map(|name| placed[name]);
        assert_eq!(game.get(wolf), Some(&Mood::Angry { at: Some(hare), how: 3 }));
        let shares = BTreeMap::from([("cub".to_string(), 2)]);
        assert_eq!(game.get(wolf), Some(&Pack { of: None, friends: vec![cub, cub], shares }));
        assert_eq!(game.get(cub), Some(&Pack { of: Some(wolf), ..Pack::default() }));
        assert_eq!((game.get(wolf), game.get(cub)), (Some(&Speed(9)), Some(&Speed(2))));
    }
}

#[test]
fn fields_of_tuple_aspects_go_by_number() {
    let king = read(r#"{ "king": { "King": { "0": 7, "1": { "y": 5 } } } }"#);
    let mut game = Game::new();
    let placed = king.spawn(&mut game).unwrap();
    assert_eq!(
        (game.get(placed["king"]), game.get(placed["king"])),
        (Some(&Crown(7)), Some(&Position { x: 1, y: 5 }))
    );
    let error = king.spawn(&mut game).unwrap_err();
    assert!(error.refused.is_some() && error.entity.as_deref() == Some("king"), "{error}");
    assert_eq!(game.entities().iter().count(), 1);
}

#[test]
fn other_formats_name_aspects_too() {
    let texts = [
        r#"{ "wolf": { "Monster": (body: (health: (max: 9, armour: (r#head-gear: 4))), mind: (mood: Angry(at: Some("cub"), how: 1))) }, "cub": {} }"#,
        r#"{ "wolf": { "Monster": { "body": { "health": (max: 9, armour: (r#head-gear: 4)) }, "mind": { "mood": Angry(at: Some("cub"), how: 1) } } }, "cub": {} }"#,
    ];
    for text in texts {
        let wolf = prefabs().read(&mut ron::Deserializer::from_str(text).unwrap());
        let wolf = wolf.unwrap_or_else(|error| panic!("{error}"));
        let mut game = Game::new();
        let placed = wolf.spawn(&mut game).unwrap();
        let armour = Armour { head_gear: 4, body_gear: None };
        assert_eq!(game.get(placed["wolf"]), Some(&Health { now: 5, max: 9, armour }));
        assert_eq!(game.get(placed["wolf"]), Some(&Mood::Angry { at: Some(placed["cub"]), how: 1 }));
    }
    let wrong = r#"{ "wolf": { "Monster": (body: (health: (mx: 9))) } }"#;
    let error = prefabs().read(&mut ron::Deserializer::from_str(wrong).unwrap()).unwrap_err().to_string();
    assert!(
        error.contains("entity `wolf`: component `Health` at `Monster.body.health`: ")
            && error.contains("did you mean `max`?"),
        "{error}"
    );
}

fn mistake(text: &str) -> PrefabError {
    prefabs().from_json("wolf.json", text).unwrap_err()
}

#[test]
fn errors_name_the_path_in_the_aspect() {
    let said = |text: &str| mistake(text).to_string();
    let told = [
        (
            "{\n  \"wolf\": {\n    \"Monster\": {\n      \"body\": { \"health\": { \"mx\": 2 } } } } }",
            "wolf.json:4:32: entity `wolf`: component `Health` at `Monster.body.health`: there is no field `mx`; did you mean `max`?",
        ),
        (
            r#"{ "wolf": { "Monster": { "body": { "health": { "max": "much" } } } } }"#,
            "wolf.json:1:60: entity `wolf`: component `Health` at `Monster.body.health`: invalid type: string \"much\", expected u32",
        ),
        (
            r#"{ "wolf": { "Monster": { "bdy": {} } } }"#,
            "wolf.json:1:30: entity `wolf`: aspect at `Monster`: there is no field `bdy`; did you mean `body`?",
        ),
        (
            r#"{ "wolf": { "Monster": { "body": { "health": { "armour": { "head_gear": 1 } } } } } }"#,
            "wolf.json:1:70: entity `wolf`: component `Health` at `Monster.body.health`: there is no field `head_gear`; did you mean `head-gear`?",
        ),
        (
            r#"{ "wolf": { "Monster": { "body": { "health": { "armour": { "coat": 1 } } } } } }"#,
            "wolf.json:1:65: entity `wolf`: component `Health` at `Monster.body.health`: `Serialize` does not write a field `coat`, so the file cannot override it; it writes `head-gear`, `body-gear`",
        ),
        (
            r#"{ "wolf": { "Monstr": {} } }"#,
            "wolf.json:1:22: entity `wolf`: component `Monstr`: world `Game` has no such component, and the `Prefabs` has no such aspect; did you mean `Monster`?",
        ),
        (
            r#"{ "wolf": { "Monster": { "mind": { "pack": { "of": "bear" } } } } }"#,
            "wolf.json:1:57: entity `wolf`: component `Pack` at `Monster.mind.pack`: no entity of the file is named `bear`",
        ),
        (
            r#"{ "wolf": { "Monster": { "sprite": 1 } } }"#,
            "wolf.json:1:35: entity `wolf`: component `Sprite` at `Monster.sprite`: it is not saved, so a file cannot override it",
        ),
        (
            r#"{ "wolf": { "Monster": { "body": 7 } } }"#,
            "wolf.json:1:34: entity `wolf`: aspect at `Monster.body`: invalid type: integer `7`, expected a map from fields of the aspect to their new values",
        ),
    ];
    let expected: Vec<String> = told.iter().map(|(_, expected)| (*expected).to_owned()).collect();
    assert_eq!(told.map(|(text, _)| said(text)).to_vec(), expected);
    for twice in [
        r#"{ "wolf": { "Monster": { "body": {}, "body": {} } } }"#,
        r#"{ "wolf": { "Monster": { "body": { "health": { "max": 1, "max": 1 } } } } }"#,
        r#"{ "wolf": { "Monster": {}, "Monster": {} } }"#,
    ] {
        assert!(said(twice).contains("occurs twice"), "{}", said(twice));
    }
}

#[test]
fn a_component_twice_is_an_error_with_both_positions() {
    let error = mistake(
        r#"{ "wolf": { "Health": { "now": 1, "max": 2, "armour": { "head-gear": 1 } }, "Monster": {} } }"#,
    );
    assert_eq!(
        (error.component.as_deref(), error.path.as_deref()),
        (Some("Health"), Some("Monster.body.health"))
    );
    assert!(error.reason.contains("it occurs twice: as `Health` and as `Monster.body.health`"), "{error}");
    let error = mistake(r#"{ "wolf": { "Monster": {}, "Speed": 3 } }"#);
    assert!(error.reason.contains("as `Monster.body.speed` and as `Speed`"), "{error}");
    let error = mistake(r#"{ "wolf": { "Body": {}, "Monster": {} } }"#);
    assert!(error.reason.contains("as `Body.health` and as `Monster.body.health`"), "{error}");
}

mod other {
    use super::{Speed, *};

    #[derive(Aspect)]
    pub(super) struct Monster {
        pub(super) speed: Speed,
    }
    #[derive(Aspect)]
    pub(super) struct Health {
        pub(super) speed: Speed,
    }
}

#[test]
#[should_panic = "prefabs of world `Game`: aspect `Monster` (`"]
fn two_aspects_of_one_name_are_refused() {
    let _ = prefabs().aspect::<other::Monster>();
}

#[test]
#[should_panic = "cannot be named `Health`, because component `Health` has this name"]
fn an_aspect_is_not_named_like_a_component() {
    let _ = prefabs().aspect::<other::Health>();
}

#[test]
fn an_aspect_may_have_another_name_in_files() {
    let prefabs = prefabs().aspect::<Monster>().aspect_as::<other::Monster>("Snail");
    let snail = prefabs.clone().from_json("x", r#"{ "a": { "Snail": { "speed": 1 } } }"#).unwrap();
    let mut game = Game::new();
    let placed = snail.spawn(&mut game).unwrap();
    assert_eq!((game.get(placed["a"]), game.has::<Serial>(placed["a"])), (Some(&Speed(1)), false));
}

#[test]
fn a_prefab_can_be_queried_without_a_world() {
    let pack = read(r#"{ "wolf": { "Monster": {}, "Crown": 1 }, "cub": {} }"#);
    assert_eq!(pack.names().collect::<Vec<_>>(), ["wolf", "cub"]);
    assert!(pack.has::<Health>("wolf") && pack.has::<Shown>("wolf") && pack.has::<Crown>("wolf"));
    assert!(!pack.has::<Position>("wolf") && !pack.has::<Health>("cub") && !pack.has::<Health>("bear"));
    let names: Vec<_> = pack.components("wolf").collect();
    assert_eq!(names, ["Health", "Speed", "Serial", "Mood", "Pack", "Sprite", "Shown", "Crown"]);
    assert_eq!((pack.components("cub").count(), pack.components("bear").count()), (0, 0));
}

#[test]
fn readers_are_shared_and_cloned() {
    fn is_shared<T: Clone + Send + Sync + 'static>() {}
    is_shared::<Prefabs<Game>>();
}

/// A spawn makes its values in columns that the next spawn uses again: nothing is left in them
/// after an error or a panic, and two worlds and two threads have values of their own.
#[test]
fn spawns_share_no_values() {
    let king = read(
        r#"{ "a": { "King": { "0": 4 }, "Pack": { "of": null, "friends": ["b"], "shares": {} } }, "b": { "Body": {}, "Serial": 3 } }"#,
    );
    let (mut one, mut two) = (Game::new(), Game::new());
    let first = king.spawn(&mut one).unwrap()["a"];
    for _ in 0..3 {
        // the second crown of a world is refused, after the values of other components were made
        assert!(king.spawn(&mut one).is_err());
        assert_eq!(one.entities().len(), 2);
    }
    let of_two = king.spawn(&mut two).unwrap();
    assert_eq!(two.get(of_two["a"]), Some(&Crown(4)));
    assert_eq!(two.get::<Pack>(of_two["a"]).unwrap().friends, [of_two["b"]]);
    assert_eq!((two.entities().len(), two.query::<&Serial>().len()), (2, 1));
    one.despawn(first).unwrap();
    let second = king.spawn(&mut one).unwrap()["a"];
    assert_eq!(one.get(second), Some(&Crown(4)));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..50 {
                    let mut game = Game::new();
                    let placed = king.spawn(&mut game).unwrap();
                    assert_eq!(game.get(placed["b"]), Some(&Health { now: 5, max: 5, ..Health::default() }));
                    assert_eq!((game.query::<&Health>().len(), game.query::<&Crown>().len()), (1, 1));
                }
            });
        }
    });
}

/// A value whose omitted field is read by its default.
mod omitted {
    use std::cell::Cell;

    use super::*;

    #[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug, Default)]
    struct Look {
        #[serde(skip_serializing_if = "Option::is_none", default)]
        hat: Option<u8>,
        skin: u8,
        hair: Option<u16>,
    }
    #[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug, Default)]
    struct Head {
        look: Look,
        eyes: u8,
    }
    #[derive(Component, Serialize, Deserialize, Clone, Copy, PartialEq, Debug, Default)]
    struct Body {
        health: u8,
        head: Head,
        feet: u16,
    }

    thread_local! {
        static BODY: Cell<Body> = Cell::new(Body::default());
    }

    #[derive(Aspect)]
    struct Monster {
        #[aspect(default = BODY.get())]
        body: Body,
    }

    world! {
        #[derive(Serialize, Deserialize)]
        struct Lair { components { Body } }
    }

    #[test]
    fn an_override_beside_a_struct_with_an_omitted_field_changes_nothing_else() {
        for first in [None, Some(3)] {
            let body = |hat, hair| Body {
                health: 1,
                head: Head { look: Look { hat, skin: 1, hair }, eyes: 2 },
                feet: 4,
            };
            BODY.set(body(first, None));
            let file = r#"{ "e": { "Monster": { "body": { "health": 7 } } } }"#;
            let prefabs = Prefabs::<Lair>::new().aspect::<Monster>().from_json("file", file).unwrap();
            for (hat, hair) in [(None, None), (None, Some(1)), (Some(1), None), (Some(0), Some(257))] {
                BODY.set(body(hat, hair));
                let mut lair = Lair::new();
                let spawned = prefabs.spawn(&mut lair).unwrap();
                assert_eq!(lair.get(spawned["e"]), Some(&Body { health: 7, ..body(hat, hair) }));
            }
        }
    }
}
