//! The structure of types, and systems by name.

use ecs::prelude::*;
use ecs::reflect::{AllowList, NameKind, ReflectError, ReflectWorld, Schema};
use serde::{Deserialize, Serialize};

use crate::game::*;

#[test]
fn a_schema_lists_fields_and_all_variants() {
    let game = Game::new();
    let world = game.reflect();
    let schema = |name| world.schema(NameKind::Components, name).unwrap();
    assert_eq!(schema("Position"), Schema::Tuple(vec![Schema::Float("f32"); 2]));
    assert_eq!(schema("Score"), Schema::Integer("u64"));
    assert_eq!(schema("Frozen"), Schema::Unit);
    assert_eq!(schema("ChildOf"), Schema::EntityId);
    let dragon =
        Schema::Struct { name: "", fields: vec![("heads", Schema::Integer("u8")), ("fire", Schema::Bool)] };
    let kind = Schema::Enum {
        name: "Kind",
        variants: vec![("Wolf", Schema::Unit), ("Ghost", Schema::Integer("u8")), ("Dragon", dragon)],
    };
    let place = Schema::Tuple(vec![Schema::Integer("i8"); 2]);
    let fields = vec![
        ("kind", kind),
        ("target", Schema::Optional(Box::new(Schema::EntityId))),
        ("path", Schema::List(Box::new(place))),
        ("loot", Schema::Mapping(Box::new(Schema::Text), Box::new(Schema::Integer("u8")))),
    ];
    assert_eq!(schema("Monster"), Schema::Struct { name: "Monster", fields });
    assert_eq!(
        world.schema(NameKind::Resources, "Clock").unwrap(),
        Schema::Struct {
            name: "Clock",
            fields: vec![("step", Schema::Float("f32")), ("frame", Schema::Integer("u64"))]
        }
    );
    assert!(matches!(world.schema(NameKind::Events, "Hit"), Ok(Schema::Struct { name: "Hit", .. })));
    assert!(world.schema(NameKind::Components, "Secret").is_err());
    assert!(world.schema(NameKind::Systems, "heal").is_err());
}

#[derive(Component, Serialize, Deserialize)]
enum Tree {
    Leaf,
    Node(Box<Tree>, Vec<Tree>),
    Named { next: Option<Box<Tree>> },
}

/// A type that rejects what the tracer gives it.
#[derive(Component, Serialize)]
struct Even(u8);

impl<'de> Deserialize<'de> for Even {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u8::deserialize(deserializer)? {
            even if even % 2 == 0 => Ok(Self(even)),
            _ => Err(serde::de::Error::custom("odd")),
        }
    }
}

#[derive(Component, Serialize, Deserialize)]
struct Pair {
    even: Even,
    after: u8,
}

world! {
    #[derive(Reflect)]
    struct Odd { components { Tree, Even, Pair } }
}

#[test]
fn recursive_and_checking_types_have_a_schema() {
    let odd = Odd::new();
    let schema = |name| odd.reflect().schema(NameKind::Components, name).unwrap();
    let again = || Box::new(Schema::Recursive("Tree"));
    let variants = vec![
        ("Leaf", Schema::Unit),
        ("Node", Schema::Tuple(vec![*again(), Schema::List(again())])),
        ("Named", Schema::Struct { name: "", fields: vec![("next", Schema::Optional(again()))] }),
    ];
    assert_eq!(schema("Tree"), Schema::Enum { name: "Tree", variants });
    assert_eq!(schema("Even"), Schema::Integer("u8"));
    let fields = vec![("even", Schema::Integer("u8")), ("after", Schema::Any)];
    assert_eq!(schema("Pair"), Schema::Struct { name: "Pair", fields });
}

#[test]
fn a_schema_is_written_as_json_schema() {
    let game = Game::new();
    let schema = game.reflect().schema(NameKind::Components, "Health").unwrap();
    assert_eq!(
        serde_json::to_string(&schema.to_json_schema()).unwrap(),
        r#"{"type":"object","title":"Health","properties":{"now":{"type":"integer","minimum":0,"maximum":4294967295},"max":{"type":"integer","minimum":0,"maximum":4294967295}},"required":["now","max"]}"#
    );
    let schema = game.reflect().schema(NameKind::Components, "Monster").unwrap();
    let json: serde_json::Value = serde_json::to_value(schema.to_json_schema()).unwrap();
    assert_eq!(json["properties"]["kind"]["oneOf"][0]["const"], "Wolf");
    assert_eq!(json["properties"]["target"]["anyOf"][1]["type"], "null");
    assert_eq!(json["required"], serde_json::json!(["kind", "path", "loot"]));
}

#[test]
fn an_entity_is_written_with_its_values() {
    let mut game = Game::new();
    let entity =
        game.spawn((Health { now: 1, max: 2 }, Frozen, Position(f32::NAN, 1.0), Secret(std::ptr::null())));
    let json = serde_json::to_string(&game.entity(entity).unwrap()).unwrap();
    assert_eq!(json, r#"{"Health":{"now":1,"max":2},"Position":["$NaN",1.0],"Frozen":null}"#);
    assert!(ron::to_string(&game.entity(entity).unwrap()).unwrap().contains("\"Health\":"));
}

#[test]
fn systems_are_switched_and_schedules_run_by_name() {
    let mut game = Game::new();
    game.spawn(Health { now: 1, max: 9 });
    let mut world = game.reflect_mut();
    assert_eq!(world.is_system_enabled("heal"), Ok(true));
    assert_eq!(world.enable_system("heal", false), Ok(1));
    assert_eq!(world.is_system_enabled("heal"), Ok(false));
    world.run_schedule("tick").unwrap();
    assert_eq!(world.read_resource("Clock.frame"), Ok(1.into()));
    world.enable_system("heal", true).unwrap();
    world.time_systems(true).unwrap();
    world.run_schedule("tick").unwrap();
    assert_eq!(world.timings().len(), 3);
    let errors = [world.enable_system("heel", true).map(drop), world.run_schedule("tock")];
    assert_eq!(
        errors.map(|error| error.unwrap_err().to_string()),
        [
            "world `Game` has no system `heel`: did you mean `heal`?",
            "world `Game` has no schedule `tock`: did you mean `tick`?",
        ]
    );
    let mut guest = world.restrict(&AllowList::new().systems(["heal"])).unwrap();
    assert!(matches!(guest.enable_system("count", false), Err(ReflectError::UnknownName { .. })));
    assert!(guest.run_schedule("tick").is_err());
    assert_eq!(guest.timings().len(), 1);
    assert_eq!(game.query::<&Health>().iter().next().map(|health| health.now), Some(2));
}

/// A piece of gear.
///
/// It has a second paragraph.
#[derive(Component, Serialize, Deserialize, Default, Clone, PartialEq, Debug)]
struct Gear {
    /// In kilograms.
    weight: f32,
    parts: Vec<Gear>,
}

/// A shape.
#[derive(Component, Serialize, Deserialize)]
enum Shape {
    /// No extent.
    Point,
    /// Round.
    Circle {
        /// Half of the width.
        radius: f32,
    },
    Text(String),
}

#[derive(Component, Serialize, Deserialize, Default)]
struct Plain(
    /// The first.
    u8,
    u8,
);

/// Hidden from all.
#[derive(Component, Default)]
#[component(hidden)]
struct Key;

/// The time.
#[derive(Resource, Serialize, Deserialize, Default)]
struct Hour(u8);

/// A sound.
#[derive(Event, Serialize, Deserialize)]
struct Bang {
    /// From 0 to 1.
    loudness: f32,
}

world! {
    #[derive(Reflect)]
    struct Workshop {
        components { Gear, Shape, Plain, Key }
        resources { Hour }
        events { Bang(external) }
    }
}

#[test]
fn documentation_and_defaults_are_listed() {
    let workshop = Workshop::default();
    let world = workshop.reflect();
    let listed: Vec<_> =
        world.components().iter().map(|info| (info.name, info.docs, info.has_default)).collect();
    let gear = "A piece of gear.\n\nIt has a second paragraph.";
    assert_eq!(listed, [("Gear", gear, true), ("Shape", "A shape.", false), ("Plain", "", true)]);
    assert_eq!((world.resources()[0].docs, world.resources()[0].has_default), ("The time.", true));
    assert_eq!((world.events()[0].docs, world.events()[0].has_default), ("A sound.", false));
    let docs = [
        ("", "A shape."),
        ("Point", "No extent."),
        ("Circle.radius", "Half of the width."),
        ("Circle", "Round."),
    ];
    assert_eq!(world.docs(NameKind::Components, "Shape"), Ok(&docs[..]));
    assert_eq!(world.docs(NameKind::Components, "Plain"), Ok(&[("0", "The first.")][..]));
    assert_eq!(world.docs(NameKind::Events, "Bang").unwrap().len(), 2);
    assert!(
        world.docs(NameKind::Components, "Key").is_err()
            && world.default_of(NameKind::Components, "Key").is_err()
    );
    assert!(world.docs(NameKind::Systems, "Key").is_err());
    assert_eq!(world.default_of(NameKind::Resources, "Hour"), Ok(Some(0.into())));
    assert_eq!(world.default_of(NameKind::Components, "Shape"), Ok(None));
    let default = world.default_of(NameKind::Components, "Gear").unwrap().unwrap();
    assert_eq!(default.to::<Gear>(), Ok(Gear::default()));
}

#[test]
fn json_schemas_have_descriptions_defaults_and_definitions() {
    let workshop = Workshop::default();
    let schema = |name| {
        let schema = workshop.reflect().json_schema(NameKind::Components, name).unwrap();
        serde_json::to_value(&schema).unwrap()
    };
    assert_eq!(
        schema("Gear"),
        serde_json::json!({
            "$ref": "#/$defs/Gear",
            "$defs": { "Gear": {
                "type": "object",
                "title": "Gear",
                "properties": {
                    "weight": { "type": "number", "description": "In kilograms.", "default": 0.0 },
                    "parts": { "type": "array", "items": { "$ref": "#/$defs/Gear" }, "default": [] },
                },
                "required": ["weight", "parts"],
                "description": "A piece of gear.\n\nIt has a second paragraph.",
                "default": { "weight": 0.0, "parts": [] },
            } },
        })
    );
    let shape = schema("Shape");
    assert_eq!(shape["description"], "A shape.");
    assert_eq!(shape["oneOf"][0], serde_json::json!({ "const": "Point", "description": "No extent." }));
    assert_eq!(shape["oneOf"][1]["description"], "Round.");
    assert_eq!(
        shape["oneOf"][1]["properties"]["Circle"]["properties"]["radius"]["description"],
        "Half of the width."
    );
    assert_eq!(schema("Plain")["prefixItems"][0]["description"], "The first.");
    assert!(!schema("Plain").as_object().unwrap().contains_key("$defs"));

    // an inner type that contains itself, found at two places
    let odd = Odd::new();
    let tree = odd.reflect().schema(NameKind::Components, "Tree").unwrap();
    let twice = Schema::Struct { name: "Twice", fields: vec![("a", tree.clone()), ("b", tree)] };
    let twice = serde_json::to_value(twice.to_json_schema()).unwrap();
    assert_eq!(twice["properties"]["a"], serde_json::json!({ "$ref": "#/$defs/Tree" }));
    assert_eq!(twice["properties"]["a"], twice["properties"]["b"]);
    assert_eq!(twice["$defs"].as_object().unwrap().len(), 1);
    assert_eq!(twice["$defs"]["Tree"]["title"], "Tree");
}

type Four<T> = Vec<Vec<Vec<Vec<T>>>>;
#[derive(Component, Serialize, Deserialize)]
struct Eight(Four<Four<u8>>);
#[derive(Component, Serialize, Deserialize)]
struct Nine(Four<Four<Vec<u8>>>);
#[derive(Component, Serialize, Deserialize)]
struct Twelve(Four<Four<Four<u8>>>);

world! {
    #[derive(Reflect)]
    struct Nested { components { Eight, Nine, Twelve } }
}

#[test]
fn a_schema_ends_at_a_depth() {
    let nested = Nested::new();
    let depth = |name| {
        let (mut schema, mut depth) = (nested.reflect().schema(NameKind::Components, name).unwrap(), 0);
        while let Schema::List(inner) = schema {
            (schema, depth) = (*inner, depth + 1);
        }
        (depth, schema)
    };
    assert_eq!(depth("Eight"), (8, Schema::Integer("u8")));
    assert_eq!(depth("Nine"), (9, Schema::Any));
    assert_eq!(depth("Twelve"), (9, Schema::Any));
}

#[test]
fn a_type_that_contains_itself_in_a_tuple_is_defined_once() {
    let again = Schema::Optional(Box::new(Schema::Recursive("Node")));
    let fields = vec![("next", Schema::Tuple(vec![Schema::Bool, again]))];
    let json = serde_json::to_value(Schema::Struct { name: "Node", fields }.to_json_schema()).unwrap();
    assert_eq!(
        json["$ref"],
        json["$defs"]["Node"]["properties"]["next"]["prefixItems"][1]["anyOf"][0]["$ref"]
    );
    assert_eq!(json["$defs"]["Node"]["title"], "Node");
}

#[test]
fn a_world_without_entities_is_empty() {
    let mut game = Game::new();
    assert!(game.reflect().is_empty());
    game.spawn(Frozen);
    assert!(!game.reflect().is_empty() && game.reflect().len() == 1);
}
