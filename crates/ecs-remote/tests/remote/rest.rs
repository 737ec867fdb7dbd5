//! The paths that the flecs explorer asks for.

use ecs::prelude::*;
use ecs_remote::{Dispatcher, Method, Options, Remote, Request};
use serde_json::{Value, json};

use crate::game::{Frozen, Game, Health, game, id};

fn send(game: &mut Game, method: Method, target: &str) -> (u16, Value) {
    let request = Request::new(method, target, "").may_write();
    let answer = Dispatcher::new(&Options::new()).answer(game, &request);
    (answer.status, serde_json::from_str(&answer.body).expect("answers are JSON"))
}

fn get(game: &mut Game, target: &str) -> Value {
    let (status, answer) = send(game, Method::Get, target);
    assert_eq!(status, 200, "{target}: {answer}");
    answer
}

/// The query of the explorer's tree.
const TREE: &str = "[none]%20?flecs.core.Module,[none]%20?flecs.core.Component,[none]%20?flecs.core.ChildOf(_,%20$this),\
                    [none]%20?flecs.core.IsA($this,%20$base%7Cself),(flecs.core.ChildOf,PARENT)";

#[test]
fn the_tree_has_the_children_of_each_entity() {
    let (mut game, [pack, wolf, other]) = game(Remote::default());
    let roots = get(&mut game, &format!("/query?expr={}", TREE.replace("PARENT", "%230")));
    let [root] = &roots["results"].as_array().expect("rows")[..] else { panic!("{roots}") };
    assert_eq!(
        (&root["id"], &root["doc"]["label"], &root["fields"]["is_set"][8]),
        (&json!(id(pack)), &json!("pack"), &json!(true))
    );
    let children =
        get(&mut game, &format!("/query?expr={}", TREE.replace("PARENT", &format!("%23{}", id(pack)))));
    let ids: Vec<&Value> =
        children["results"].as_array().expect("rows").iter().map(|row| &row["id"]).collect();
    assert_eq!(ids, [&json!(id(wolf)), &json!(id(other))]);
    assert_eq!(children["results"][0]["fields"]["is_set"][8], false);
    let found = get(&mut game, "/query?expr=[none]%20?flecs.core.Module,$this%20~=%20%22ol%22");
    assert_eq!(found["results"][0]["id"], id(wolf));
}

#[test]
fn an_entity_is_shown_with_the_types_of_its_values() {
    let (mut game, [pack, wolf, other]) = game(Remote::default());
    let by_id = get(&mut game, &format!("/entity/%23{}?values=true&type_info=true", id(wolf)));
    assert_eq!(by_id, get(&mut game, "/entity/pack/wolf?type_info=true"));
    assert_eq!(by_id["components"]["Health"], json!({ "now": 3, "max": 7 }));
    assert_eq!(by_id["type_info"]["Health"], json!({ "now": ["int"], "max": ["int"] }));
    assert_eq!(by_id["pairs"]["ChildOf"], format!("#{}..pack", id(pack)), "the explorer shows `pack`");
    assert_eq!(get(&mut game, &format!("/entity/%23{}", id(other)))["tags"], json!(["Frozen"]));
    assert_eq!(send(&mut game, Method::Get, "/entity/pack/bear").0, 404);
    assert_eq!(get(&mut game, "/entity/flecs/core/World?values=true&label=true")["name"], "World");
}

#[test]
fn components_are_edited_added_and_removed() {
    let (mut game, [_, wolf, _]) = game(Remote::default());
    let target = |component: &str| format!("/component/pack/wolf?component={component}");
    assert_eq!(send(&mut game, Method::Put, &target("Health&value=%7B%22now%22:6%7D")).0, 200);
    assert_eq!(game.get::<Health>(wolf).map(|health| (health.now, health.max)), Some((6, 7)));
    let before = game.hash();
    let (status, error) =
        send(&mut game, Method::Put, &target("Health&value=%7B%22now%22:5,%22max%22:%22x%22%7D"));
    assert_eq!((status, game.hash()), (400, before), "all parts are changed, or none: {error}");
    assert_eq!(send(&mut game, Method::Put, &target("Frozen")).0, 200);
    assert!(game.has::<Frozen>(wolf));
    assert_eq!(send(&mut game, Method::Put, &target("Mind&value=Idle")).0, 200);
    assert_eq!(get(&mut game, &target("Mind")), "Idle");
    assert_eq!(send(&mut game, Method::Delete, &target("Frozen")).0, 200);
    assert!(!game.has::<Frozen>(wolf));
    assert_eq!(send(&mut game, Method::Put, &target("Password")).0, 404, "hidden");
}

#[test]
fn entities_are_created_and_deleted() {
    let (mut game, [pack, ..]) = game(Remote::default());
    assert_eq!(send(&mut game, Method::Put, "/entity/pack/cub").0, 200);
    let cub = game.find_one::<Name>("cub").expect("it was created");
    assert_eq!(game.sources::<ChildOf>(pack).last(), Some(&cub));
    assert_eq!(send(&mut game, Method::Delete, "/entity/pack").0, 200);
    assert_eq!(game.entities().len(), 0);
}

#[test]
fn queries_components_statistics_and_systems_are_shown() {
    let (mut game, [_, wolf, _]) = game(Remote::default());
    let found = get(&mut game, "/query?expr=Health,%20!Frozen");
    assert_eq!(
        (found["results"].as_array().map(Vec::len), &found["results"][0]["id"]),
        (Some(1), &json!(id(wolf)))
    );
    assert_eq!(found["results"][0]["fields"]["values"], json!([{ "now": 3, "max": 7 }]));
    assert_eq!(get(&mut game, "/components")[3]["entity_count"], 2);
    assert_eq!(
        get(&mut game, "/stats/world?period=1s")["entities.count"]["avg"].as_array().map(Vec::len),
        Some(60)
    );
    game.time_systems(true);
    game.tick();
    assert_eq!(get(&mut game, "/stats/pipeline?name=all")[1]["name"], "count");
    assert_eq!(get(&mut game, "/stats/pipeline?name=tick").as_array().map(Vec::len), Some(3));
    assert_eq!(send(&mut game, Method::Put, "/toggle/count?enable=false").1, json!({ "places": 1 }));
    let (status, error) = send(&mut game, Method::Put, "/toggle/coutn?enable=false");
    assert_eq!(
        (status, error["error"].as_str()),
        (404, Some("world `Game` has no system `coutn`: did you mean `count`?"))
    );
}

#[test]
fn aspects_have_paths_of_their_own() {
    let (mut game, [pack, wolf, _]) = game(Remote::default());
    assert_eq!(get(&mut game, "/aspects")[0]["name"], "Body");
    assert_eq!(get(&mut game, &format!("/aspect/%23{}", id(wolf))), json!(["Body"]));
    let path = format!("/aspect/%23{}?aspect", id(pack));
    let changes = "changes=%7B%22Health.now%22:2%7D";
    let (status, answer) = send(&mut game, Method::Put, &format!("{path}=Body&{changes}"));
    assert_eq!((status, answer), (200, json!({})));
    assert_eq!(game.get::<Health>(pack).map(|health| health.now), Some(2));
    assert_eq!(send(&mut game, Method::Put, &format!("{path}=Body")).0, 400, "it has the aspect");
    assert_eq!(send(&mut game, Method::Put, &format!("{path}=Statue&instead_of=Body")).0, 200);
    assert!(game.has::<Frozen>(pack) && !game.has::<Health>(pack));
    assert_eq!(send(&mut game, Method::Delete, &format!("{path}=Statue")).0, 200);
    assert!(!game.has::<Frozen>(pack));
    assert_eq!(send(&mut game, Method::Delete, &format!("{path}=Spy")).0, 404);
}
