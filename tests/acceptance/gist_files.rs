//! G: definition files, which are read at compile time.

use ecs::components_from;
use ecs::prefab::{Definitions, PrefabError};
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

components_from! {
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    "data/meta.json",
    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    "data/components.json",
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Game { components { m: Meta, Movement, HitPoints, Ai, Frozen } }
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
fn g03_attached_components_have_the_defaults_of_the_file() {
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

/// The files that define the types.
const FILES: [(&str, &str); 2] = [
    ("meta.json", include_str!("../data/meta.json")),
    ("components.json", include_str!("../data/components.json")),
];

fn definitions(files: &[(&str, &str)]) -> Definitions<Game> {
    let mut definitions = Definitions::new();
    for (file, text) in files {
        definitions.read_json(file, text).unwrap();
    }
    definitions
}

#[test]
fn g01_the_same_files_read_at_run_time_give_the_compiled_defaults() {
    let definitions = definitions(&FILES);
    let names: Vec<&str> = definitions.names().collect();
    assert_eq!(names, ["meta", "movement", "ai", "hit_points", "frozen"]);
    assert_eq!(definitions.make::<Meta>(), Some(Meta::default()));
    assert_eq!(definitions.make::<Movement>(), Some(Movement::default()));
    assert_eq!(definitions.make::<Ai>(), Some(Ai::default()));
    assert_eq!(definitions.make::<HitPoints>(), Some(HitPoints::default()));
    assert_eq!(definitions.make::<Frozen>(), Some(Frozen));
    // each value is a new one
    let mut game = Game::new();
    let [one, two] = [(), ()].map(|()| definitions.spawn(&mut game, &["movement", "frozen"]).unwrap());
    game.get_mut::<Movement>(one).unwrap().path.clear();
    assert_eq!(game.get(two), Some(&Movement::default()));
    assert!(game.has::<Frozen>(one) && !game.has::<Meta>(one));
}

#[test]
fn g01_a_file_at_run_time_replaces_the_compiled_defaults() {
    let mut definitions = definitions(&FILES);
    definitions.read_json("later.json", r#"{"schema": {"name": "nobody"}, "type": "meta"}"#).unwrap();
    assert_eq!(Meta::default().name, "");
    assert_eq!(definitions.make::<Meta>(), Some(Meta { name: "nobody".into() }));
    assert_eq!(definitions.names().filter(|name| *name == "meta").count(), 1);
    // the gist's `attach`: a new value, which replaces the present one (G5)
    let mut game = Game::new();
    let entity = game.spawn(Meta { name: "Player".into() });
    definitions.attach(&mut game, entity, "meta").unwrap();
    definitions.attach(&mut game, entity, "hit_points").unwrap();
    assert_eq!(game.get(entity), Some(&Meta { name: "nobody".into() }));
    assert_eq!(game.get(entity), Some(&HitPoints::default()));
    assert_eq!(game.query::<&Meta>().iter().count(), 1);
    // integers are accepted for fields that are floats
    let wide = r#"[{"type": "movement", "schema": {"path": [], "blocked": true, "speed": 2}}]"#;
    definitions.read_json("wide.json", wide).unwrap();
    assert_eq!(definitions.make(), Some(Movement { speed: 2.0, path: vec![], blocked: true }));
}

#[test]
fn g01_an_error_in_a_file_names_file_line_and_key() {
    let wrong = |text: &str| {
        let mut definitions = definitions(&FILES);
        let error = definitions.read_json("x.json", text).unwrap_err();
        assert_eq!(definitions.make::<Meta>(), Some(Meta::default()), "nothing of the file is taken on");
        error.to_string()
    };
    for (text, message) in [
        (
            "{\n  \"type\": \"meta\",\n  \"schema\": {\n    \"name\": 5\n  }\n}",
            "x.json:4:13: component `Meta`: key `name`: invalid type: integer `5`, expected a string",
        ),
        (
            r#"{"type": "meta", "schema": {"nmae": ""}}"#,
            "x.json:1:36: component `Meta`: there is no field `nmae`; did you mean `name`?",
        ),
        (r#"{"type": "meta", "schema": {}}"#, "x.json:1:29: component `Meta`: missing field `name`"),
        (
            r#"{"type": "mete", "schema": {"name": ""}}"#,
            "x.json:1:15: type `mete`: world `Game` has no component `Mete`; did you mean `Meta`?",
        ),
        (
            r#"[{"type": "meta", "schema": {"name": "a"}}, {"type": "meta", "schema": {"name": "b"}}]"#,
            "x.json:1:59: type `meta` is defined twice",
        ),
        (
            r#"{"type": "meta"}"#,
            "x.json:1:16: the definition of `meta` has no key `schema`, which has the fields and their values",
        ),
        (
            r#"{"schema": {"name": ""}}"#,
            "x.json:1:24: this definition has no key `type`, which names the component",
        ),
        (
            r#"{"type": "meta", "schema": {"name": ""}, "scheme": 1}"#,
            "x.json:1:49: key `scheme` means nothing in the definition of `meta`: the keys are `type` and `schema`",
        ),
        (
            r#"{"type": "meta", "schema": []}"#,
            "x.json:1:27: invalid type: sequence, expected the fields of the component and their values",
        ),
        (
            r#""meta""#,
            "x.json:1:6: invalid type: string \"meta\", expected a definition, `{\"type\": \"meta\", \"schema\": {..}}`, or a list of them",
        ),
        (r#"{"type": "meta", "schema": {"name": ""}"#, "x.json:1:39: EOF while parsing an object"),
        (
            r#"[{"type": "meta", "schema": {"name": "a"}}, {"type": "movement", "schema": {"speed": "fast"}}]"#,
            "x.json:1:91: component `Movement`: key `speed`: invalid type: string \"fast\", expected f64",
        ),
    ] {
        assert_eq!(wrong(text), message, "{text}");
    }
}

#[test]
fn g01_undefined_components_and_dead_entities_are_errors_without_changes() {
    let (definitions, mut game) = (definitions(&FILES[..1]), Game::new());
    assert_eq!(definitions.make::<Movement>(), None);
    let entity = game.spawn(());
    let error: PrefabError = definitions.attach(&mut game, entity, "meat").unwrap_err();
    assert_eq!(error.to_string(), "definitions: no file has defined `meat`; did you mean `meta`?");
    assert!(definitions.spawn(&mut game, &["meta", "movement"]).is_err());
    assert!(definitions.spawn(&mut game, &["meta", "meta"]).is_err());
    game.despawn(entity).unwrap();
    let error = definitions.attach(&mut game, entity, "meta").unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("meta.json: component `Meta`: entity {entity} does not exist in the world")
    );
    assert!(game.entities().is_empty());
}

#[test]
fn g01_rules_of_components_hold_for_defined_components() {
    #[derive(Component, Serialize, Deserialize, Debug)]
    #[component(unique)]
    struct Camera {
        zoom: f32,
    }
    #[derive(Component, Serialize, Deserialize, Default)]
    struct Position(i32, i32);
    #[derive(Component, Serialize, Deserialize)]
    #[component(requires(Position))]
    struct Body {
        owner: Option<Entity>,
    }
    world! {
        #[derive(Serialize, Deserialize)]
        struct Arena { components { Camera, Position, Body } }
    }
    let mut definitions = Definitions::<Arena>::new();
    definitions.read_json("camera.json", r#"{"type": "Camera", "schema": {"zoom": 2}}"#).unwrap();
    definitions.read_json("body.json", r#"{"type": "body", "schema": {"owner": null}}"#).unwrap();
    let mut arena = Arena::new();
    let first = definitions.spawn(&mut arena, &["Camera", "body"]).unwrap();
    assert!(arena.has::<Position>(first), "required components join");
    let error = definitions.spawn(&mut arena, &["body", "Camera"]).unwrap_err();
    assert_eq!(error.refused.as_ref().map(|refused| refused.reason), Some(ecs::error::Reason::HeldBy(first)));
    assert_eq!(arena.entities().len(), 1, "half an entity is not what was to be spawned");
    let error =
        definitions.read_json("body.json", r#"{"type": "body", "schema": {"owner": "me"}}"#).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("it contains the id of an entity, but a default value cannot refer to entities"),
        "{error}"
    );
}
