//! The requests that real clients send, as they were recorded: the flecs explorer, the VS Code
//! extension bevy-inspector, and `bevy_brp`.

use ecs::ChildOf;
use ecs::component::{Disabled, Name};
use ecs::prelude::*;
use ecs_remote::{Dispatcher, Method, Options, Reads, Request, Writes};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;

use crate::client::{request, send};
use crate::server::Running;

#[derive(Component, Clone, Serialize, Deserialize, Default)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(Component, Clone, Serialize, Deserialize)]
struct Position(f32, f32);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Score(u64);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Route(Vec<Position>);
#[derive(Component, Clone, Serialize, Deserialize)]
enum Mood {
    Calm,
    Hungry { since: u64, place: Option<Entity> },
    Follows(Entity),
}
/// It does not move.
#[derive(Component, Clone, Serialize, Deserialize)]
struct Asleep;
#[derive(Component, Clone, Serialize, Deserialize)]
struct Tree {
    kind: Kind,
    mood: Mood,
    branches: Vec<Tree>,
    fruits: BTreeMap<String, u8>,
}
#[derive(Clone, Serialize, Deserialize)]
enum Kind {
    Oak,
    Pine,
}
#[derive(Resource, Clone, Serialize, Deserialize, Default)]
struct Weather {
    rain: f32,
    wind: (f32, f32),
}
#[derive(Event, Clone, Serialize, Deserialize)]
struct Thunder {
    strength: u32,
}

world! {
    #[derive(Clone, Reflect)]
    struct Meadow {
        components { Name, ChildOf, Disabled, Health, Position, Score, Route, Mood, Asleep, Tree }
        resources { Weather = Weather::default() }
        events { Thunder(external) }
    }
    schedule tick { count }
}

#[system(Meadow)]
fn count(score: &mut Score) {
    score.0 += 1;
}

/// A herd with a wolf.
fn meadow() -> (Meadow, Entity, Entity) {
    let mut meadow = Meadow::new();
    let herd = meadow.spawn(Name::new("herd"));
    let animal = (Health { now: 3, max: 7 }, Position(0.5, -2.0), Mood::Calm, Score(4));
    let wolf = meadow.spawn((Name::new("wolf"), ChildOf(herd), animal));
    (meadow, herd, wolf)
}

fn id(entity: Entity) -> u64 {
    crate::game::id(entity)
}

/// The status and the text of an answer.
fn ask(meadow: &mut Meadow, method: Method, target: &str) -> (u16, String) {
    let answer =
        Dispatcher::new(&Options::new()).answer(meadow, &Request::new(method, target, "").may_write());
    (answer.status, answer.body)
}

fn get(meadow: &mut Meadow, target: &str) -> Value {
    let (status, body) = ask(meadow, Method::Get, target);
    assert_eq!(status, 200, "{target}: {body}");
    serde_json::from_str(&body).expect("answers are JSON")
}

fn put(meadow: &mut Meadow, target: &str) {
    let (status, body) = ask(meadow, Method::Put, target);
    assert_eq!(status, 200, "{target}: {body}");
}

/// The answer to a request of JSON-RPC.
fn call(meadow: &mut Meadow, method: &str, params: Value) -> Value {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let request = Request::new(Method::Post, "/", body.to_string()).may_write();
    let answer = Dispatcher::new(&Options::new()).answer(meadow, &request);
    serde_json::from_str(&answer.body).expect("answers are JSON")
}

fn result(meadow: &mut Meadow, method: &str, params: Value) -> Value {
    let mut answer = call(meadow, method, params);
    assert!(answer.get("error").is_none(), "{method}: {answer}");
    answer["result"].take()
}

/// The requests of the explorer for its tree, its search and its lists. `%END%` is the last term.
const TREE: &str = "/query?try=true&rows=true&limit=1000&doc=true&entity_ids=true&persist=false&expr=%20%5Bnone%5D%20%3Fflecs.core.Module%2C%5Bnone%5D%20%3Fflecs.core.Component%2C%5Bnone%5D%20%3Fflecs.core.Relationship%2C%5Bnone%5D%20%3Fflecs.core.Trait%2C%5Bnone%5D%20%3Fflecs.core.Target%2C%5Bnone%5D%20%3Fflecs.core.Query%2C%5Bnone%5D%20%3Fflecs.core.Prefab%2C%5Bnone%5D%20%3Fflecs.core.Disabled%2C%5Bnone%5D%20%3Fflecs.core.ChildOf(_%2C%24this)%2C%5Bnone%5D%20%3Fflecs.core.IsA(%24this%2C%24base%7Cself)%2C%END%&cache=false";

fn tree(meadow: &mut Meadow, end: &str) -> Vec<Value> {
    let answer = get(meadow, &TREE.replace("%END%", end));
    answer["results"].as_array().expect("rows").clone()
}

#[test]
fn the_tree_of_the_explorer_shows_a_hundred_thousand_children() {
    let (mut meadow, herd, wolf) = meadow();
    meadow.spawn_batch((0..100_000).map(|n| (Name::new(format!("sheep {n}")), ChildOf(herd)))).count();
    meadow.spawn((Name::new("cub"), ChildOf(wolf)));
    let roots = tree(&mut meadow, "(flecs.core.ChildOf%2C%230)");
    assert_eq!((roots.len(), &roots[0]["doc"]["label"]), (1, &json!("herd")));
    assert_eq!(roots[0]["fields"]["is_set"][8], true, "it is a parent");
    let children = tree(&mut meadow, &format!("(flecs.core.ChildOf%2C%23{})", id(herd)));
    assert_eq!((children.len(), &children[0]["doc"]["label"]), (1_000, &json!("wolf")));
    assert_eq!(
        (&children[0]["fields"]["is_set"][8], &children[1]["fields"]["is_set"][8]),
        (&json!(true), &json!(false))
    );
    let found = tree(&mut meadow, "%24this%20~%3D%20%22sheep%209999%22");
    assert_eq!(found.len(), 11, "sheep 9999 and 99990 to 99999");
    let by_id = tree(&mut meadow, &format!("%24this%20%3D%3D%20%22%23{}%22", id(wolf)));
    assert_eq!(by_id[0]["doc"]["label"], "wolf");
    assert_eq!(get(&mut meadow, "/entity/herd/wolf/cub")["parent"], format!("#{}", id(wolf)));
    let three = json!({ "text": "Name contains \"99\"", "limit": 3 });
    assert_eq!(result(&mut meadow, "world.query", three).as_array().map(Vec::len), Some(3));
}

#[test]
fn the_explorer_edits_an_enum_with_data() {
    let (mut meadow, herd, wolf) = meadow();
    let of_wolf = format!(
        "/entity/%23{}?try=true&values=true&entity_id=true&full_paths=true&type_info=true&private=true&inherited=true&matches=false&alerts=false",
        id(wolf)
    );
    let pane = get(&mut meadow, &of_wolf);
    assert_eq!(
        (&pane["components"]["Mood"], &pane["type_info"]["Mood"]),
        (&json!("Calm"), &json!(["enum", "Calm"]))
    );
    assert_eq!(pane["type_info"]["Position"], json!(["array", ["float"]]));
    assert_eq!(pane["type_info"]["Score"], json!(["int"]));
    assert_eq!(pane["pairs"]["ChildOf"], format!("#{}..herd", id(herd)));
    let set = |meadow: &mut Meadow, component: &str, value: &str| {
        put(meadow, &format!("/component/%23{}?component={component}&value={value}", id(wolf)));
    };
    // a whole variant, a part of it as the field sends it, and the content of a newtype variant
    set(&mut meadow, "Mood", "%7B%22Hungry%22%3A%7B%22since%22%3A3%2C%22place%22%3Anull%7D%7D");
    let pane = get(&mut meadow, &of_wolf);
    assert_eq!(pane["type_info"]["Mood"], json!(["value"]), "the page reads the type from the value");
    set(&mut meadow, "Mood", "%7B%22Hungry.since%22%3A5%7D");
    set(&mut meadow, "Mood", &format!("%7B%22Hungry.place%22%3A%22%23{}..herd%22%7D", id(herd)));
    assert!(
        matches!(meadow.get::<Mood>(wolf), Some(Mood::Hungry { since: 5, place: Some(place) }) if *place == herd)
    );
    set(&mut meadow, "Mood", &format!("%7B%22Follows%22%3A%22%23{}%22%7D", id(herd)));
    assert!(matches!(meadow.get::<Mood>(wolf), Some(Mood::Follows(whom)) if *whom == herd));
    let pane = get(&mut meadow, &of_wolf);
    assert_eq!(pane["components"]["Mood"], json!({ "Follows": format!("#{}..herd", id(herd)) }));
    // a click on the name of the other entity
    assert_eq!(get(&mut meadow, &format!("/entity/%23{}//herd?values=true", id(herd)))["id"], id(herd));
    set(&mut meadow, "Mood", "Calm");
    assert!(matches!(meadow.get::<Mood>(wolf), Some(Mood::Calm)));
    // an enum within a struct
    set(
        &mut meadow,
        "Tree",
        "%7B%22kind%22%3A%22Oak%22%2C%22mood%22%3A%7B%22Hungry%22%3A%7B%22since%22%3A1%7D%7D%2C%22branches%22%3A%5B%5D%2C%22fruits%22%3A%7B%22apple%22%3A2%7D%7D",
    );
    let pane = get(&mut meadow, &of_wolf);
    let of_tree = json!({
        "kind": ["enum", "Oak", "Pine"], "mood": ["value"], "branches": ["array", ["text"]],
        "fruits": ["map", ["text"], ["int"]],
    });
    assert_eq!(pane["type_info"]["Tree"], of_tree);
    set(&mut meadow, "Tree", "%7B%22mood.Hungry.since%22%3A9%7D");
    assert!(matches!(meadow.get::<Tree>(wolf).map(|tree| &tree.mood), Some(Mood::Hungry { since: 9, .. })));
}

#[test]
fn the_explorer_edits_texts_tuples_and_fields_in_their_order() {
    let (mut meadow, _, wolf) = meadow();
    let (_, pane) = ask(&mut meadow, Method::Get, &format!("/entity/%23{}?type_info=true", id(wolf)));
    assert!(pane.contains(r#""Health":{"now":3,"max":7}"#), "{pane}");
    assert!(pane.contains(r#""Health":{"now":["int"],"max":["int"]}"#), "{pane}");
    let set = |meadow: &mut Meadow, component: &str, value: &str| {
        put(meadow, &format!("/component/%23{}?component={component}&value={value}", id(wolf)));
    };
    for (sent, name) in
        [("42", "42"), ("true", "true"), ("null", "null"), ("%2242%22", "42"), ("Zo%EB", "Zoë"), ("{", "{")]
    {
        set(&mut meadow, "Name", sent);
        assert_eq!(meadow.get::<Name>(wolf).map(|name| name.as_str().to_owned()).as_deref(), Some(name));
    }
    set(&mut meadow, "Position", "1.5,2");
    set(&mut meadow, "Position", "%7B%22%5B1%5D%22%3A-3%7D");
    assert_eq!(meadow.get::<Position>(wolf).map(|at| (at.0, at.1)), Some((1.5, -3.0)));
}

#[test]
fn the_pages_of_the_explorer_have_what_they_draw() {
    let (mut meadow, _, wolf) = meadow();
    // the table of the queries page
    let table = "/query?try=true&rows=true&full_paths=true&query_info=true&field_info=true&query_plan=true&query_profile=true&persist=true&expr=";
    let answer = get(&mut meadow, &format!("{table}Position%2CHealth%2C%3FMood%2C%3FAsleep%2C!Disabled"));
    assert_eq!(answer["query_info"], json!({ "vars": ["this"], "terms": [] }));
    let columns = json!([
        { "id": "Position", "schema": ["array", ["float"]] },
        { "id": "Health", "schema": { "now": ["int"], "max": ["int"] } },
        { "id": "Mood", "schema": ["text"] },
        { "id": "Asleep" },
    ]);
    assert_eq!(answer["field_info"], columns);
    let row = &answer["results"][0];
    assert_eq!(row["name"], format!("#{}..wolf", id(wolf)));
    assert_eq!(row["fields"]["is_set"], json!([true, true, true, false]));
    assert_eq!(row["fields"]["values"], json!([[0.5, -2.0], { "now": 3, "max": 7 }, "Calm", null]));
    // its first query, and its lists
    for query in [
        "(ChildOf%2Cflecs)",
        "Query%2C%3Fflecs.system.System",
        "Observer%2C!Query%2C%3F(ChildOf%2C%24parent)%2C!Observer(%24parent)%2C!Query(%24parent)",
    ] {
        assert_eq!(get(&mut meadow, &format!("{table}{query}"))["results"], json!([]), "{query}");
    }
    let (status, error) = ask(&mut meadow, Method::Get, &format!("{table}Helth"));
    assert_eq!((status, error.contains("did you mean `Health`?")), (404, true), "{error}");

    // the dialog Add Component
    let dialog =
        "%2C%3F(flecs.doc.Description%2Cflecs.doc.Brief)%2C%3F%24this(_)%2C%3F%24this(_%2C_)%2C%3FModule";
    let names = |meadow: &mut Meadow, first: &str| -> Vec<String> {
        let target = format!("/query?try=true&rows=true&limit=100&expr={first}{dialog}");
        let rows = get(meadow, &target)["results"].as_array().expect("rows").clone();
        assert!(rows.iter().all(|row| row["fields"]["is_set"].as_array().map(Vec::len) == Some(5)));
        rows.iter().filter_map(|row| row["name"].as_str().map(str::to_owned)).collect()
    };
    assert_eq!(names(&mut meadow, "%24this%20~%3D%20%22as%22"), ["Asleep"]);
    assert_eq!(names(&mut meadow, "Component").len(), 10, "all, while nothing is typed");
    put(&mut meadow, &format!("/component/%23{}?component=Asleep", id(wolf)));
    assert!(meadow.has::<Asleep>(wolf));

    // the first page
    let world = get(&mut meadow, "/entity/flecs/core/World?values=true&label=true");
    let build = &world["components"]["flecs.core.BuildInfo"]["version"];
    assert!(build.as_str().is_some_and(|version| version.contains("checked-ecs")), "{build}");
    assert_eq!(world["components"]["flecs.stats.WorldSummary"]["entity_count"], 2);
    let memory = get(&mut meadow, "/entity/flecs/stats/WorldMemory?try=true&values=true");
    let health = &memory["components"]["flecs.stats.WorldMemory"]["components"]["bytes_Health"];
    assert!(health.as_u64() > Some(0), "{memory}");
    put(&mut meadow, "/action/shrink_memory");

    // the page of components: `tables.length`, `traits.join(", ")`, `memory.storage`
    let components = get(&mut meadow, "/components?cache=false");
    let child_of = &components[1];
    assert_eq!((&child_of["tables"], &child_of["traits"]), (&json!([]), &json!(["relation"])));
    assert!(components[3]["memory"]["storage"].as_u64() > Some(0));
    assert_eq!(get(&mut meadow, "/type_info/Health"), json!({ "now": ["int"], "max": ["int"] }));
    assert_eq!(get(&mut meadow, "/world")["results"].as_array().map(Vec::len), Some(2));

    // the button that disables
    put(&mut meadow, &format!("/toggle/%23{}?enable=false", id(wolf)));
    assert_eq!(get(&mut meadow, &format!("/entity/%23{}", id(wolf)))["tags"][0], "flecs.core.Disabled");
    put(&mut meadow, &format!("/toggle/%23{}?enable=true", id(wolf)));
    assert!(!meadow.has::<Disabled>(wolf));
}

#[test]
fn the_explorer_shows_resources_as_singletons() {
    let (mut meadow, ..) = meadow();
    let rows = tree(&mut meadow, "%5Bnone%5D%20flecs.core.Singleton%2C!flecs.core.Module");
    assert_eq!(
        (rows.len(), &rows[0]["name"], &rows[0]["parent"]),
        (1, &json!("Weather"), &json!("resources"))
    );
    let pane = get(&mut meadow, "/entity/resources/Weather?values=true&type_info=true");
    assert_eq!(pane["components"]["Weather"], json!({ "rain": 0.0, "wind": [0.0, 0.0] }));
    assert_eq!(pane["type_info"]["Weather"], json!({ "rain": ["float"], "wind": ["array", ["float"]] }));
    put(&mut meadow, "/component/resources/Weather?component=Weather&value=%7B%22rain%22%3A0.5%7D");
    assert_eq!(meadow.resource::<Weather>().rain, 0.5);
    let (status, _) = ask(&mut meadow, Method::Delete, "/component/resources/Weather?component=Weather");
    assert_eq!(status, 400, "a world always has its resources");
    assert_eq!(ask(&mut meadow, Method::Get, "/entity/resources/Wether").0, 404);
}

/// The references in a schema.
fn references(json: &Value, found: &mut Vec<String>) {
    match json {
        Value::Object(members) => members.iter().for_each(|(name, value)| match value {
            Value::String(path) if name == "$ref" => found.push(path.clone()),
            value => references(value, found),
        }),
        Value::Array(elements) => elements.iter().for_each(|element| references(element, found)),
        _ => {}
    }
}

#[test]
fn the_registry_is_written_as_bevy_writes_it() {
    let (mut meadow, ..) = meadow();
    let schemas = result(&mut meadow, "registry.schema", Value::Null);
    let mut found = Vec::new();
    references(&schemas, &mut found);
    assert!(found.len() > 20);
    for path in found {
        let name = path.strip_prefix("#/$defs/").expect("a reference to a type");
        assert!(schemas.get(name).is_some_and(Value::is_object), "no type {name}");
    }
    // the extension refers to these by itself
    for name in ["u64", "u128", "f32", "bool", "alloc::string::String"] {
        assert_eq!(schemas[name]["kind"], "Value", "{name}");
        assert_eq!(schemas[name]["typePath"], name);
    }
    let health = &schemas["Health"];
    assert_eq!(health["properties"]["now"]["type"]["$ref"], "#/$defs/u32");
    assert_eq!(health["required"], json!(["now", "max"]));
    assert_eq!(
        (&health["kind"], &health["type"], &health["shortPath"]),
        (&json!("Struct"), &json!("object"), &json!("Health"))
    );
    assert_eq!(health["reflectTypes"], json!(["Component", "Serialize", "Deserialize", "Default"]));
    assert_eq!((&health["crateName"], &health["modulePath"]), (&json!("remote"), &json!("remote::clients")));
    assert_eq!(schemas["Score"]["prefixItems"][0]["type"]["$ref"], "#/$defs/u64", "a newtype");
    let mood = schemas["Mood"]["oneOf"].as_array().expect("variants");
    let kinds: Vec<&Value> = mood.iter().map(|variant| &variant["kind"]).collect();
    assert_eq!(kinds, [&Value::Null, &json!("Struct"), &json!("Tuple")]);
    assert_eq!((&mood[0]["shortPath"], &mood[0]["typePath"]), (&json!("Calm"), &json!("Mood::Calm")));
    assert_eq!(schemas["Kind"]["oneOf"], json!(["Oak", "Pine"]));
    assert_eq!(schemas["Kind"]["type"], "string");
    let place = &schemas["core::option::Option<bevy_ecs::entity::Entity>"]["oneOf"];
    assert_eq!((&place[0]["shortPath"], &place[1]["shortPath"]), (&json!("None"), &json!("Some")));
    assert_eq!(schemas["Tree"]["properties"]["branches"]["type"]["$ref"], "#/$defs/alloc::vec::Vec<Tree>");

    let names = |meadow: &mut Meadow, params: Value| -> Vec<String> {
        let schemas = result(meadow, "registry.schema", params);
        schemas.as_object().expect("an object").keys().cloned().collect()
    };
    let resources =
        [json!({ "type_limit": { "with": ["Resource"] } }), json!({ "with_types": ["Resource"] })];
    for params in resources {
        assert_eq!(names(&mut meadow, params), ["Weather"]);
    }
    let others = names(&mut meadow, json!({ "without_types": ["Component"], "with_crates": null }));
    assert!(others.contains(&"Thunder".to_owned()) && !others.contains(&"Health".to_owned()));
    let of_library = names(&mut meadow, json!({ "with_crates": ["ecs"], "with_types": ["Component"] }));
    assert_eq!(of_library, ["Name", "ChildOf", "Disabled"]);
    let own = names(
        &mut meadow,
        json!({ "without_crates": ["ecs"], "type_limit": { "with": ["Component"], "without": null } }),
    );
    assert!(own.contains(&"Mood".to_owned()) && !own.contains(&"Name".to_owned()));
}

#[test]
fn members_and_paths_are_as_bevy_writes_them() {
    let (mut meadow, herd, wolf) = meadow();
    let discovered = result(&mut meadow, "rpc.discover", Value::Null);
    assert_eq!(discovered["servers"], json!([{ "name": "Meadow", "url": "127.0.0.1:27750" }]));
    assert_eq!(discovered["info"]["version"], "0.19.0");
    // clients that write all members of their structs
    let query = json!({
        "data": { "components": ["Health"], "option": null, "has": null }, "filter": { "with": null, "without": null },
        "strict": null, "limit": null, "after": null,
    });
    let rows = result(&mut meadow, "world.query", query);
    assert_eq!(rows, json!([{ "entity": id(wolf), "components": { "Health": { "now": 3, "max": 7 } } }]));
    result(&mut meadow, "world.query", json!({ "data": {}, "filter": null }));
    let all = result(&mut meadow, "world.list_components", json!({ "entity": null }));
    assert_eq!(all.as_array().map(Vec::len), Some(10));
    result(
        &mut meadow,
        "world.get_components",
        json!({ "entity": id(wolf), "components": ["Health"], "strict": null }),
    );
    result(&mut meadow, "world.reparent_entities", json!({ "entities": [id(wolf)], "parent": null }));
    assert!(meadow.sources::<ChildOf>(herd).is_empty());
    result(&mut meadow, "world.spawn_entity", json!({ "components": null }));

    // the content of a newtype, a field of the active variant, an element of a list in a newtype
    let mut mutate = |component: &str, path: Value, value: Value| {
        let params = json!({ "entity": id(wolf), "component": component, "path": path, "value": value });
        call(&mut meadow, "world.mutate_components", params)
    };
    let good = Value::Null;
    assert_eq!(mutate("Score", json!(".0"), json!(9))["result"], good);
    assert_eq!(mutate("Position", json!(".1"), json!(2.5))["result"], good);
    assert_eq!(mutate("Health", Value::Null, json!({ "now": 1, "max": 2 }))["result"], good);
    assert_eq!(mutate("Mood", json!(""), json!({ "Hungry": { "since": 1, "place": null } }))["result"], good);
    assert_eq!(mutate("Mood", json!(".since"), json!(7))["result"], good);
    assert_eq!(mutate("Mood", json!(".place"), json!(id(herd)))["result"], good);
    assert!(mutate("Mood", json!(".sinse"), json!(7))["error"]["message"].is_string());
    let params = json!({ "entity": id(wolf), "components": { "Route": [[0, 0], [1, 1]] } });
    result(&mut meadow, "world.insert_components", params);
    let params = json!({ "entity": id(wolf), "component": "Route", "path": ".0[1].0", "value": 8 });
    result(&mut meadow, "world.mutate_components", params);
    assert_eq!(meadow.get::<Route>(wolf).map(|route| route.0[1].0), Some(8.0));
    assert!(
        matches!(meadow.get::<Mood>(wolf), Some(Mood::Hungry { since: 7, place: Some(place) }) if *place == herd)
    );
    assert_eq!(meadow.get::<Score>(wolf).map(|score| score.0), Some(9));
    result(
        &mut meadow,
        "world.mutate_resources",
        json!({ "resource": "Weather", "path": ".wind.1", "value": 3 }),
    );
    assert_eq!(meadow.resource::<Weather>().wind, (0.0, 3.0));
}

#[test]
fn numbers_of_clients_are_kept_or_refused() {
    let (mut meadow, _, wolf) = meadow();
    let set = |meadow: &mut Meadow, value: Value| {
        call(
            meadow,
            "world.mutate_resources",
            json!({ "resource": "Weather", "path": ".rain", "value": value }),
        )
    };
    let refused = set(&mut meadow, json!(1e308));
    let message = refused["error"]["message"].as_str().unwrap_or_default();
    assert!(message.contains("too large for an f32"), "{refused}");
    assert_eq!(meadow.resource::<Weather>().rain, 0.0);
    meadow.resource_mut::<Weather>().rain = f32::INFINITY;
    meadow.insert(wolf, Position(f32::NAN, f32::NEG_INFINITY)).expect("it is alive");
    // JSON has no infinity: as Bevy and JavaScript write it
    let weather = result(&mut meadow, "world.get_resources", json!({ "resource": "Weather" }));
    assert_eq!(weather["value"]["rain"], Value::Null);
    let pane = get(&mut meadow, &format!("/entity/%23{}", id(wolf)));
    assert_eq!(pane["components"]["Position"], json!([null, null]));
}

#[test]
fn a_client_that_asks_for_each_entity_at_once_waits() {
    let running = Running::start(Options::new());
    let address = running.address;
    // as many requests as a window of VS Code sends for a tree of 300 entities; 64 connections are
    // read at once
    let clients: Vec<_> = (0..300)
        .map(|id| {
            std::thread::spawn(move || {
                let body = json!({ "jsonrpc": "2.0", "id": id, "method": "world.list_components", "params": { "entity": "4v1" } });
                request(address, "POST", "/", "Content-Type: application/json\r\n", &body.to_string())
            })
        })
        .collect();
    for client in clients {
        let (status, _, body) = client.join().expect("an answer");
        assert_eq!((status, body.contains("\"result\"")), (200, true), "{body}");
    }
    let discovered =
        request(address, "POST", "/", "", r#"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#).2;
    assert!(discovered.contains(&format!("127.0.0.1:{}", address.port())), "{discovered}");
}

const LIST: &str = r#"{ "jsonrpc": "2.0", "id": 1, "method": "world.list_resources" }"#;
const SPAWN: &str =
    r#"{ "jsonrpc": "2.0", "id": 1, "method": "world.spawn_entity", "params": { "components": {} } }"#;

#[test]
fn a_token_protects_reads() {
    let token = |token: &str| format!("Authorization: Bearer {token}\r\n");
    let reads = Options::new().reads(Reads::Token("reader".into()));
    let both = reads.clone().writes(Writes::Token("writer".into()));
    assert!(!format!("{both:?} {:?}", Dispatcher::new(&both)).contains("er\""), "no token is printed");
    let running = Running::start(both);
    let ask = |headers: &str, body: &str| request(running.address, "POST", "/", headers, body);
    for (headers, read, write) in [
        (String::new(), 401, false),
        (token("wrong"), 401, false),
        (token("reader"), 200, false),
        (token("writer"), 200, true),
    ] {
        assert_eq!(ask(&headers, LIST).0, read, "{headers}");
        assert_eq!(request(running.address, "GET", "/components", &headers, "").0, read, "{headers}");
        assert_eq!(ask(&headers, SPAWN).2.contains("\"result\""), write, "{headers}");
    }
    // a browser asks before it sends the token
    assert_eq!(request(running.address, "OPTIONS", "/", "Origin: http://localhost:1\r\n", "").0, 204);
    // who may not read may not write
    let running = Running::start(reads.writes(Writes::Anybody));
    assert_eq!(request(running.address, "POST", "/", "", SPAWN).0, 401);
    assert!(request(running.address, "POST", "/", &token("reader"), SPAWN).2.contains("\"result\""));
}

#[test]
fn heads_of_two_meanings_are_refused() {
    let running = Running::start(Options::new().writes(Writes::Anybody));
    let status = |head: &str| {
        let text = format!("{head}Connection: close\r\nContent-Length: {}\r\n\r\n{SPAWN}", SPAWN.len());
        let answer = send(running.address, text.as_bytes()).expect("an answer");
        answer.split(' ').nth(1).and_then(|status| status.parse::<u16>().ok()).expect("a status")
    };
    let post = "POST / HTTP/1.1\r\n";
    assert_eq!(status(&format!("{post}Host: localhost\r\n")), 200);
    for (head, expected) in [
        ("Host: localhost\r\nHost: evil.com\r\n", 400),
        ("Host: localhost\r\nOrigin: http://localhost\r\nOrigin: http://evil.com\r\n", 400),
        ("Host: localhost\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n", 400),
        ("", 400),
        ("Host: localhost:x@evil.com\r\n", 403),
        ("Host: localhost\r\nOrigin: http://localhost:x@evil.com\r\n", 403),
        ("Host: localhost\r\nOrigin: http://[::1]evil.com\r\n", 403),
        ("Host: localhost\r\nOrigin: http://localhost/path\r\n", 403),
    ] {
        assert_eq!(status(&format!("{post}{head}")), expected, "{head}");
    }
    assert_eq!(status("POST http://evil.com/ HTTP/1.1\r\nHost: localhost\r\n"), 403);
    assert_eq!(running.end().0.entities().len(), 4, "one was spawned");
}
