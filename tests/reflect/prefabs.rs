//! Prefabs by name, and the values that `Debug` of an entity prints.

use ecs::prelude::*;
use ecs::reflect::{AllowList, DynamicValue, PrefabLibrary, ReflectError, ReflectWorld};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
struct Health {
    now: u32,
    max: u32,
}

#[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
#[component(requires(Level))]
struct Owner(Entity);

#[derive(Component, Serialize, Deserialize, PartialEq, Debug, Default)]
struct Level(u8);

#[derive(Component, Serialize, Deserialize, PartialEq, Eq, Hash, Debug)]
#[component(key)]
struct Name(String);

#[derive(Component)]
#[component(hidden)]
struct Secret;

world! {
    #[derive(Reflect)]
    struct Game { components { Health, Owner, Level, Name, Secret, ChildOf } resources { PrefabLibrary } }
}

fn game() -> Game {
    Game::new(
        serde_json::from_str(
            r#"{
                "goblin": {
                    "body": { "Health": { "now": 7, "max": 7 }, "Name": "Gob" },
                    "club": { "Owner": "body", "ChildOf": "body" }
                },
                "twins": { "a": { "Name": "x" }, "b": { "Name": "x" } },
                "bad": { "a": { "Health": { "now": 1 } } }
            }"#,
        )
        .unwrap(),
    )
}

#[test]
fn a_prefab_is_spawned_with_changes_and_ids_of_its_entities() {
    let mut game = game();
    assert_eq!(game.reflect().prefabs(), ["bad", "goblin", "twins"]);
    for (number, name) in ["Gob", "Gib"].into_iter().enumerate() {
        let changes = [
            ("body", "Health.now", DynamicValue::from(number as u32)),
            ("body", "Name", name.into()),
            ("club", "Level", 4.into()),
        ];
        let spawned = game.reflect_mut().spawn_prefab("goblin", &changes).unwrap();
        let names: Vec<&str> = spawned.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["body", "club"]);
        let (body, club) = (spawned[0].1, spawned[1].1);
        assert_eq!(game.get(body), Some(&Health { now: number as u32, max: 7 }));
        assert_eq!((game.get(club), game.get(club)), (Some(&Owner(body)), Some(&Level(4))));
        assert_eq!(game.sources::<ChildOf>(body), [club]);
        assert_eq!(game.find_one::<Name>(&Name(name.into())), Some(body));
    }
}

/// The entity, the path, and the value.
type Change<'c> = (&'c str, &'c str, DynamicValue);

#[test]
fn nothing_is_spawned_from_a_prefab_after_an_error() {
    let mut game = game();
    let first = game.reflect_mut().spawn_prefab("goblin", &[]).unwrap();
    assert_eq!(game.get::<Level>(first[1].1), Some(&Level(0)), "`Owner` requires it");
    let cases: [(&str, &[Change<'_>], &str); 10] = [
        ("gobling", &[], "prefab `gobling`: the world has no such prefab: did you mean `goblin`?"),
        (
            "goblin",
            &[("boby", "Health.now", 1.into())],
            "prefab `goblin`: it has no entity `boby`: did you mean `body`?",
        ),
        (
            "goblin",
            &[("body", "Helth", 1.into())],
            "world `Game` has no component `Helth`: did you mean `Health`?",
        ),
        ("goblin", &[("body", "Secret", ().into())], "world `Game` has no component `Secret`"),
        (
            "goblin",
            &[("body", "Health", 1.into())],
            "`Health`: invalid type: integer `1`, expected struct Health",
        ),
        ("goblin", &[("body", "Health..", 1.into())], "`Health..`: expected a name after `.`"),
        ("goblin", &[("club", "Owner", "head".into())], "`Owner`: "),
        ("goblin", &[], "unique"),
        ("twins", &[], "unique"),
        ("bad", &[], "`Health`: missing field `max`"),
    ];
    for (prefab, changes, message) in cases {
        let error = game.reflect_mut().spawn_prefab(prefab, changes).unwrap_err();
        let text = error.to_string();
        let is_expected = if message == "unique" {
            matches!(error, ReflectError::Refused(_))
        } else {
            text.starts_with(message)
        };
        assert!(is_expected, "{text}");
        assert_eq!(game.entities().len(), 2, "{text}");
    }
    let change = [("body", "Name", "new".into()), ("body", "Health.nwo", 1.into())];
    let error = game.reflect_mut().spawn_prefab("goblin", &change).unwrap_err().to_string();
    assert!(error.ends_with("there is no field `nwo`: did you mean `now`?"), "{error}");
    assert_eq!((game.entities().len(), game.find_one::<Name>(&Name("new".into()))), (2, None));
}

/// A library in a world that is saved.
mod saved {
    use ecs::prelude::*;
    use ecs::reflect::{PrefabLibrary, ReflectWorld};
    use serde::{Deserialize, Serialize};

    #[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
    enum Shape {
        Point,
        Line(f32, Option<u8>),
        Named { text: String, of: Vec<char>, old: Option<Option<i64>> },
    }

    world! {
        #[derive(Clone, Reflect, Serialize, Deserialize)]
        struct Shapes { components { Shape, ChildOf } resources { PrefabLibrary } }
    }

    #[test]
    fn a_world_with_a_library_is_saved_in_both_forms() {
        let text = r#"{
            "a": { "point": { "Shape": "Point" }, "line": { "Shape": { "Line": [0.5, null] }, "ChildOf": "point" } },
            "b": { "named": { "Shape": { "Named": { "text": "x", "of": ["y"], "old": null } } } },
            "odd": { "one": { "Shape": { "big": [340282366920938463463374607431768211455, -1, 1e300, true, {}] } } }
        }"#;
        let mut world = Shapes::new(serde_json::from_str(text).unwrap());
        world.reflect_mut().spawn_prefab("a", &[]).unwrap();
        let bytes = world.to_bytes().unwrap();
        let loaded = Shapes::load(&bytes).unwrap();
        assert_eq!(loaded.resource::<PrefabLibrary>(), world.resource::<PrefabLibrary>());
        assert_eq!(loaded.hash(), world.hash());
        let json = serde_json::to_string(&world).unwrap();
        let mut loaded: Shapes = serde_json::from_str(&json).unwrap();
        assert_eq!(loaded.hash(), world.hash());
        assert_eq!(loaded.reflect_mut().spawn_prefab("b", &[]).unwrap().len(), 1);
        // cut anywhere, the file is refused, as others are
        assert!((0..bytes.len()).all(|end| Shapes::load(&bytes[..end]).is_err()));
        let empty = Shapes::new(PrefabLibrary::new());
        assert_eq!(Shapes::load(&empty.to_bytes().unwrap()).unwrap().hash(), empty.hash());
    }
}

#[test]
fn a_library_is_a_value_and_can_be_hidden() {
    let mut game = game();
    let text = serde_json::to_string(game.resource::<PrefabLibrary>()).unwrap();
    assert_eq!(serde_json::from_str::<PrefabLibrary>(&text).unwrap(), *game.resource::<PrefabLibrary>());
    game.reflect_mut().patch_resource("PrefabLibrary.goblin.body.Health.now", 1).unwrap();
    let body = game.reflect_mut().spawn_prefab("goblin", &[]).unwrap()[0].1;
    assert_eq!(game.get(body), Some(&Health { now: 1, max: 7 }));
    for text in ["3", r#"{"a": 3}"#, r#"{"a": {"b": 3}}"#, r#"{"a": {"b": {}, "b": {}}}"#] {
        assert!(serde_json::from_str::<PrefabLibrary>(text).is_err(), "{text}");
    }
    let list = AllowList::new().resources([""; 0]);
    let mut guest = game.reflect_mut().restrict(&list).unwrap();
    assert!(guest.prefabs().is_empty() && guest.spawn_prefab("goblin", &[]).is_err());
}

#[test]
fn debug_of_an_entity_prints_values_that_are_not_hidden() {
    let mut game = game();
    let entity = game.spawn((Health { now: 3, max: 7 }, Name("Gob".into()), Secret));
    let text = format!("{:?}", game.entity(entity).unwrap());
    assert_eq!(text, format!("{entity} {{Health: {{now: 3, max: 7}}, Name: \"Gob\", Secret: _}}"));
    let empty = game.spawn(());
    assert_eq!(format!("{:?}", game.entity(empty).unwrap()), format!("{empty} {{}}"));
}
