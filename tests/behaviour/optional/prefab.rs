//! Prefabs: entities from data, all of them or none, and errors that name the entity, the component
//! and the position.

use std::cell::Cell;

use ecs::component::Name;
use ecs::prefab::PrefabError;
use ecs::prelude::*;
use ecs::{ChildOf, Prefab};
use serde::{Deserialize, Deserializer, Serialize};

#[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
struct Health {
    now: u32,
    #[serde(default = "three")]
    max: u32,
}
#[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
#[component(requires(Mood))]
enum Mind {
    Idle,
    Hunts { whom: Entity, with: Vec<Entity>, or: Option<Entity> },
}
#[derive(Component, Serialize, Deserialize, PartialEq, Default, Debug)]
struct Mood(i8);
#[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
struct Frozen;
#[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
#[component(unique)]
struct Crown(u32);
#[derive(Component)]
#[component(skip)]
struct Sprite;

fn three() -> u32 {
    3
}

thread_local!(static PATIENCE: Cell<u32> = const { Cell::new(u32::MAX) });

/// A component that can be deserialized a limited number of times.
#[derive(Component, Serialize)]
struct Fickle(u32);

impl<'de> Deserialize<'de> for Fickle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = u32::deserialize(deserializer)?;
        match PATIENCE.get() {
            0 => Err(serde::de::Error::custom("had enough")),
            left => {
                PATIENCE.set(left - 1);
                Ok(Self(value))
            }
        }
    }
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Game {
        components { Health, Mind, Mood, Frozen, Crown, Sprite, Fickle, ChildOf, Name }
    }
}

const CAMP: &str = r#"{
    "goblin": { "Health": { "now": 2 }, "Mind": { "Hunts": { "whom": "hero", "with": ["goblin", "wolf"], "or": null } } },
    "wolf":   { "Health": { "now": 4, "max": 9 }, "ChildOf": "goblin", "Frozen": null, "Name": "Grey" },
    "hero":   { "Mind": "Idle", "ChildOf": "goblin" }
}"#;

#[test]
fn a_prefab_is_spawned_as_often_as_one_likes() {
    let camp = Prefab::<Game>::from_json("camp.json", CAMP).unwrap();
    assert_eq!(camp.names().collect::<Vec<_>>(), ["goblin", "wolf", "hero"]);
    let mut game = Game::new();
    game.spawn(());
    let placed: Vec<_> = (0..100).map(|_| camp.spawn(&mut game).unwrap()).collect();
    assert_eq!(game.entities().iter().count(), 301);
    for camp in &placed {
        let [goblin, wolf, hero] = ["goblin", "wolf", "hero"].map(|name| camp[name]);
        assert_eq!(game.get(goblin), Some(&Health { now: 2, max: 3 }));
        assert_eq!(game.get(wolf), Some(&Health { now: 4, max: 9 }));
        assert_eq!(game.get(goblin), Some(&Mind::Hunts { whom: hero, with: vec![goblin, wolf], or: None }));
        assert_eq!(game.sources::<ChildOf>(goblin), [wolf, hero]);
        assert_eq!(
            (game.get::<Mood>(hero), game.has::<Mood>(wolf)),
            (Some(&Mood(0)), false),
            "it is required"
        );
        assert!(game.has::<Frozen>(wolf) && camp.get("bear").is_none());
    }
    assert_eq!(game.query::<&Name>().iter().filter(|name| &***name == "Grey").count(), 100);
    game.despawn(placed[0]["goblin"]).unwrap();
    assert_eq!(game.entities().iter().count(), 298);
}

#[test]
fn any_format_that_people_read_will_do() {
    let ron = r#"{ "a": { "Mind": Hunts(whom: "b", with: ["a"], or: Some("b")) }, "b": { "Health": (now: 1), "Mood": (5) } }"#;
    let prefab: Prefab<Game> = ron::from_str(ron).unwrap();
    let mut game = Game::new();
    let placed = prefab.clone().spawn(&mut game).unwrap();
    let (a, b) = (placed["a"], placed["b"]);
    assert_eq!(game.get(a), Some(&Mind::Hunts { whom: b, with: vec![a], or: Some(b) }));
    assert_eq!((game.get(b), game.get(b)), (Some(&Health { now: 1, max: 3 }), Some(&Mood(5))));
    let error = ron::from_str::<Prefab<Game>>(r#"{ "a": { "ChildOf": ("nobody") } }"#).unwrap_err();
    assert!(
        error.to_string().contains("no entity of the prefab is named `nobody`; the prefab has `a`"),
        "{error}"
    );
}

fn mistake(text: &str) -> PrefabError {
    Prefab::<Game>::from_json("camp.json", text).unwrap_err()
}

#[test]
fn errors_name_file_line_entity_and_component() {
    let said = |text: &str| mistake(text).to_string();
    assert_eq!(
        said("{\n  \"wolf\": {\n    \"Helth\": { \"now\": 1 }\n  }\n}"),
        "camp.json:3:13: entity `wolf`: component `Helth`: world `Game` has no such component; did you mean `Health`?"
    );
    assert_eq!(
        said("{\n  \"wolf\": {\n    \"Health\": { \"now\": 1, \"mx\": 2 }\n  }\n}"),
        "camp.json:3:32: entity `wolf`: component `Health`: there is no field `mx`; did you mean `max`?"
    );
    assert_eq!(
        said("{ \"wolf\": { \"Health\": { \"now\": \"much\" } } }"),
        "camp.json:1:37: entity `wolf`: component `Health`: invalid type: string \"much\", expected u32"
    );
    assert_eq!(
        said("{\n \"wolf\": {\n  \"ChildOf\": \"bear\" } }"),
        "camp.json:3:19: entity `wolf`: component `ChildOf`: no entity of the file is named `bear`"
    );
    let error = mistake("{ \"a\": {}, \"b\": { \"Frozen\": null, \"Frozen\": null } }");
    assert_eq!((error.entity.as_deref(), error.component.as_deref()), (Some("b"), Some("Frozen")));
    assert!(error.reason.contains("it occurs twice") && error.line == 1 && error.column > 40);
    assert!(
        said("{ \"a\": {}, \"a\": {} }")
            .contains("entity `a`: the prefab already has an entity of this name")
    );
    assert!(said("{ \"a\": { \"Sprite\": null } }").contains("component `Sprite` is not saved"));
    assert!(said("{ \"a\": { \"ChildOf\": 7 } }").contains("invalid type: integer `7`"));
    assert!(said("{ \"a\": [] }").contains("entity `a`"));
    for text in ["", "[]", "{", "{ \"a\" }", "{ \"a\": { \"Health\": { \"now\": 1 }", "{} {}", "null"] {
        assert!(said(text).starts_with("camp.json:"), "{text}: {}", said(text));
    }
    assert!(said("[]").starts_with("camp.json:1:1: "), "{}", said("[]"));
    let meant = said("{ \"bear\": {}, \"cub\": { \"ChildOf\": \"beer\" } }");
    assert!(meant.ends_with("no entity of the file is named `beer`; did you mean `bear`?"), "{meant}");
}

#[test]
fn an_id_in_text_is_a_name_in_a_prefab() {
    let mut game = Game::new();
    let id = format!("{:#}", game.spawn(()));
    assert!(
        mistake(&format!(r#"{{ "a": {{ "ChildOf": "{id}" }} }}"#))
            .reason
            .contains("no entity of the file is named")
    );
    let named = format!(r#"{{ "{id}": {{ "ChildOf": "b" }}, "b": {{}} }}"#);
    assert!(Prefab::<Game>::from_json("x", &named).unwrap().spawn(&mut game).is_ok());
}

#[test]
fn a_prefab_refused_by_a_rule_spawns_no_entity() {
    let mut game = Game::new();
    let king = Prefab::<Game>::from_json(
        "king.json",
        r#"{ "page": { "Mood": 1 }, "king": { "Crown": 1, "Mood": 2 } }"#,
    )
    .unwrap();
    king.spawn(&mut game).unwrap();
    let error = king.spawn(&mut game).unwrap_err();
    assert!(
        error.component.as_deref() == Some("Crown") && error.reason.contains("the component is unique"),
        "{error}"
    );
    assert_eq!(game.entities().iter().count(), 2);
    assert_eq!(game.query::<&Mood>().iter().count(), 2);
    let itself = Prefab::<Game>::from_json("x", r#"{ "a": { "ChildOf": "a" } }"#).unwrap();
    assert!(itself.spawn(&mut game).is_err());
    let circle =
        Prefab::<Game>::from_json("x", r#"{ "a": { "ChildOf": "b" }, "b": { "ChildOf": "a" } }"#).unwrap();
    assert_eq!(
        circle.spawn(&mut game).unwrap_err().to_string(),
        "x: entity `b`: component `ChildOf`: its target `a` already leads back to the entity, and the relation must not form a cycle"
    );
    let crowns = Prefab::<Game>::from_json("x", r#"{ "a": { "Crown": 1 }, "b": { "Crown": 2 } }"#).unwrap();
    assert_eq!(
        crowns.spawn(&mut Game::new()).unwrap_err().to_string(),
        "x: entity `b`: component `Crown`: the component is unique, and `a` already has it"
    );
    assert_eq!(game.entities().iter().count(), 2);
}

/// All rules are asked before the first value is inserted, so that no system sees the removal of a
/// value.
#[test]
fn values_of_a_refused_prefab_are_not_inserted_and_removed_again() {
    #[derive(Component, Clone, Serialize, Deserialize)]
    #[component(removed)]
    struct Scent(u32);
    #[derive(Resource, Default)]
    #[resource(skip)]
    struct Lost(usize);
    world! {
        #[derive(Serialize, Deserialize)]
        struct Court { components { Scent, Crown, Fickle } resources { Lost } }
        schedule tick { sniff }
    }
    #[system(Court)]
    fn sniff(mut scents: Removed<Scent>, mut lost: ResMut<Lost>) {
        lost.0 += scents.iter().map(|(_, scent)| scent.0 as usize).sum::<usize>();
    }
    let error = Prefab::<Court>::from_json("x", r#"{ "king": { "Lost": 1 } }"#).unwrap_err();
    assert!(error.reason.contains("`Lost` is a resource of world `Court`"), "{error}");
    let king = Prefab::<Court>::from_json("x", r#"{ "king": { "Scent": 5, "Crown": 1 } }"#).unwrap();
    let mut court = Court::new(Lost(0));
    let first = king.spawn(&mut court).unwrap();
    assert!(king.spawn(&mut court).unwrap_err().reason.contains("the component is unique"));
    court.tick();
    assert_eq!((court.resource::<Lost>().0, court.query::<&Scent>().len()), (0, 1));
    court.despawn(first["king"]).unwrap();
    court.tick();
    assert_eq!(court.resource::<Lost>().0, 5);
    let dog = Prefab::<Court>::from_json("y", r#"{ "dog": { "Scent": 7, "Fickle": 1 } }"#).unwrap();
    PATIENCE.set(0);
    assert!(dog.spawn(&mut court).unwrap_err().reason.contains("had enough"));
    court.tick();
    assert_eq!((court.resource::<Lost>().0, court.entities().len()), (5, 0));
}

#[test]
fn a_value_that_cannot_be_deserialized_again_spawns_no_entity() {
    let mut game = Game::new();
    let fickle = Prefab::<Game>::from_json("x", r#"{ "a": { "Mood": 1, "Fickle": 3 } }"#).unwrap();
    fickle.spawn(&mut game).unwrap();
    assert_eq!(game.query::<&Fickle>().iter().map(|fickle| fickle.0).collect::<Vec<_>>(), [3]);
    PATIENCE.set(0);
    assert!(fickle.spawn(&mut game).unwrap_err().reason.contains("had enough"));
    assert_eq!(game.entities().iter().count(), 1);
}

#[test]
fn components_that_exclude_each_other_are_found_when_the_file_is_read() {
    #[derive(Component, Serialize, Deserialize)]
    #[component(excludes(Dry))]
    struct Wet;
    #[derive(Component, Serialize, Deserialize)]
    #[component(excludes(Wet))]
    struct Dry;
    world! {
        #[derive(Serialize, Deserialize)]
        struct Pond { components { Wet, Dry } }
    }
    let error =
        Prefab::<Pond>::from_json("pond.json", r#"{ "frog": { "Wet": null, "Dry": null } }"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        "pond.json:1:32: entity `frog`: component `Dry`: the entity has `Wet`, and the two exclude each other"
    );
    assert!(
        Prefab::<Pond>::from_json("pond.json", r#"{ "frog": { "Wet": null }, "toad": { "Dry": null } }"#)
            .is_ok()
    );
}

#[test]
fn a_prefab_may_be_a_resource() {
    fn is_shared<T: Clone + Send + Sync + 'static>() {}
    is_shared::<Prefab<Game>>();
}
