//! G: its definition files, read while the program is compiled.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

components_from! {
    #[derive(Clone, PartialEq, Debug)]
    "data/meta.json",
    #[derive(Clone, PartialEq, Debug)]
    "data/components.json",
}

world! {
    struct Game { components { m: Meta, Movement, HitPoints } }
}

#[test]
fn g01_a_component_is_defined_by_a_file() {
    assert_eq!(Meta::default(), Meta { name: String::new() });
    assert_eq!(Movement::default().path, [[0, 0], [3, -4]]);
    let file: &str = include_str!("../data/meta.json");
    let written: String = file.split_whitespace().collect();
    assert_eq!(written, r#"{"type":"meta","schema":{"name":""}}"#, "the file of the gist itself");
}

#[test]
fn g03_what_is_attached_has_the_defaults_of_the_file() {
    let mut game = Game::new();
    let entity = game.spawn(());
    assert_eq!(game.insert(entity, Meta::default()), Ok(None));
    game.get_mut::<Meta>(entity).unwrap().name = "Player".into();
    assert_eq!(game.columns().m.get(entity), Some(&Meta { name: "Player".into() }));
    assert_eq!(game.insert(entity, Meta::default()), Ok(Some(Meta { name: "Player".into() })));
}

#[test]
fn g06_lists_of_the_file_are_not_shared_among_entities() {
    let mut game = Game::new();
    let (one, two) = (game.spawn(Movement::default()), game.spawn(Movement::default()));
    game.get_mut::<Movement>(one).unwrap().path.clear();
    assert_eq!(game.get::<Movement>(two), Some(&Movement::default()));
    assert!(game.get::<Movement>(one).is_some_and(|movement| movement.path.is_empty()));
}

#[test]
fn g01_at_run_time_prefabs_build_entities_from_typed_components() {
    #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
    struct Attack {
        target: Entity,
        damage: u32,
    }
    #[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
    struct Label(String);
    world! {
        #[derive(Serialize, Deserialize)]
        struct Arena { components { Attack, Label } }
    }
    let file = r#"{
        "player":  { "Label": "Player" },
        "monster": { "Label": "Monster", "Attack": { "target": "player", "damage": 3 } }
    }"#;
    let mut arena = Arena::new();
    let placed = ecs::Prefab::<Arena>::from_json("arena.json", file).unwrap().spawn(&mut arena).unwrap();
    assert_eq!(arena.get(placed["monster"]), Some(&Attack { target: placed["player"], damage: 3 }));
    assert_eq!(arena.get(placed["player"]), Some(&Label("Player".into())));
    let wrong =
        ecs::Prefab::<Arena>::from_json("arena.json", r#"{ "player": { "Lable": "Player" } }"#).unwrap_err();
    assert_eq!(
        wrong.to_string(),
        "arena.json:1:23: entity `player`: component `Lable`: world `Arena` has no such component; did you mean `Label`?"
    );
}
