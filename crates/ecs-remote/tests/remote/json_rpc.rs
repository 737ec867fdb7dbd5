//! The methods of JSON-RPC.

use crate::game::{Frozen, Health, Position, error, game, id, result};
use ecs::prelude::*;
use ecs_remote::{Dispatcher, Method, Options, Remote, Request};
use serde_json::{Value, json};

#[test]
fn components_are_listed_read_and_inserted() {
    let (mut game, [_, wolf, _]) = game(Remote::default());
    let all = result(&mut game, "world.list_components", json!({}));
    assert_eq!(
        all,
        json!(["Name", "ChildOf", "Position", "Health", "Mind", "Frozen", "Items"]),
        "`Password` is hidden"
    );
    let some = result(&mut game, "world.list_components", json!({ "entity": id(wolf) }));
    assert_eq!(some, json!(["Name", "ChildOf", "Position", "Health"]));

    let insertion =
        json!({ "entity": id(wolf), "components": { "Health": { "now": 6, "max": 7 }, "Frozen": null } });
    assert_eq!(result(&mut game, "world.insert_components", insertion), Value::Null);
    let asked = json!({ "entity": id(wolf), "components": ["Health", "Position", "Mind"] });
    let got = result(&mut game, "world.get_components", asked);
    assert_eq!(got["components"], json!({ "Health": { "now": 6, "max": 7 }, "Position": [0.1, 2.0] }));
    assert_eq!(got["errors"]["Mind"]["code"], -23403);
    assert_eq!(game.get::<Health>(wolf).map(|health| health.now), Some(6));
}

#[test]
fn a_request_without_permission_changes_nothing() {
    let (mut game, [_, wolf, _]) = game(Remote::default());
    let before = game.hash();
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "world.despawn_entity", "params": { "entity": id(wolf) } });
    let request = Request::new(Method::Post, "/", body.to_string());
    let answer = Dispatcher::new(&Options::new()).answer(&mut game, &request);
    assert!(answer.body.contains("-32000"), "{}", answer.body);
    assert_eq!(game.hash(), before);
}

#[test]
fn unknown_names_have_errors_that_name_the_nearest() {
    let (mut game, [_, wolf, _]) = game(Remote::default());
    let asked = json!({ "entity": id(wolf), "components": ["Helth"], "strict": true });
    let (code, message) = error(&mut game, "world.get_components", asked);
    assert_eq!((code, &*message), (-23402, "world `Game` has no component `Helth`: did you mean `Health`?"));
}

#[test]
fn queries_spawns_mutations_and_removals_are_those_of_bevy() {
    let (mut game, [pack, wolf, other]) = game(Remote::default());
    let asked = json!({
        "data": { "components": ["bevy_ecs::hierarchy::ChildOf"], "option": ["bevy_ecs::name::Name"], "has": ["Frozen"] },
        "filter": { "with": ["Health"] }
    });
    let rows = result(&mut game, "world.query", asked);
    let first = json!({
        "entity": id(wolf), "has": { "Frozen": false },
        "components": { "bevy_ecs::hierarchy::ChildOf": id(pack), "bevy_ecs::name::Name": "wolf" },
    });
    let second = json!({
        "entity": id(other), "has": { "Frozen": true }, "components": { "bevy_ecs::hierarchy::ChildOf": id(pack) },
    });
    assert_eq!(rows, json!([first, second]));

    let spawned = result(
        &mut game,
        "world.spawn_entity",
        json!({ "components": { "Mind": { "Hunts": { "whom": id(wolf) } } } }),
    );
    let hunter = spawned["entity"].clone();
    let mind = result(
        &mut game,
        "world.get_components",
        json!({ "entity": hunter, "components": ["Mind"], "strict": true }),
    );
    assert_eq!(mind, json!({ "Mind": { "Hunts": { "whom": id(wolf) } } }));
    let change = json!({ "entity": hunter, "component": "Mind", "path": ".Hunts.whom", "value": id(pack) });
    result(&mut game, "world.mutate_components", change);
    let mind =
        result(&mut game, "bevy/get", json!({ "entity": hunter, "components": ["Mind"], "strict": true }));
    assert_eq!(mind["Mind"]["Hunts"]["whom"], id(pack));
    result(&mut game, "world.remove_components", json!({ "entity": hunter, "components": ["Mind"] }));
    assert_eq!(result(&mut game, "world.list_components", json!({ "entity": hunter })), json!([]));
    result(&mut game, "world.despawn_entity", json!({ "entity": hunter }));
    assert_eq!(error(&mut game, "world.despawn_entity", json!({ "entity": hunter })).0, -23401);
}

#[test]
fn a_batch_of_parents_is_changed_or_none_is() {
    let (mut game, [pack, wolf, other]) = game(Remote::default());
    result(&mut game, "world.reparent_entities", json!({ "entities": [id(other)], "parent": id(wolf) }));
    assert_eq!(game.sources::<ChildOf>(wolf), [other]);
    let third = game.spawn(ChildOf(wolf));
    let before = game.hash();
    // the second one would make a ring; the order of the children is a part of the hash
    let ring = json!({ "entities": [id(other), id(wolf), id(pack)], "parent": id(third) });
    assert!(error(&mut game, "world.reparent_entities", ring).0 < 0);
    assert_eq!(
        error(&mut game, "world.reparent_entities", json!({ "entities": [id(wolf)], "parent": id(wolf) })).0,
        -23404
    );
    assert_eq!(game.hash(), before);
    assert_eq!(game.sources::<ChildOf>(wolf), [other, third]);
    result(&mut game, "world.reparent_entities", json!({ "entities": [id(other)] }));
    assert_eq!(game.sources::<ChildOf>(wolf), [third]);
}

#[test]
fn resources_events_schemas_and_schedules_have_methods() {
    let (mut game, [_, wolf, _]) = game(Remote::default());
    assert_eq!(result(&mut game, "world.list_resources", json!({})), json!(["Clock"]));
    result(
        &mut game,
        "world.mutate_resources",
        json!({ "resource": "Clock", "path": ".leader", "value": id(wolf) }),
    );
    let clock = result(&mut game, "world.get_resources", json!({ "resource": "game::Clock" }));
    assert_eq!(clock, json!({ "value": { "frame": 0, "leader": id(wolf) } }));
    result(
        &mut game,
        "world.insert_resources",
        json!({ "resource": "Clock", "value": { "frame": 5, "leader": null } }),
    );
    assert_eq!(game.resource::<crate::game::Clock>().frame, 5);
    assert_eq!(error(&mut game, "world.remove_resources", json!({ "resource": "Clock" })).0, -23501);

    result(&mut game, "world.write_message", json!({ "message": "Hit", "value": 2 }));
    game.tick();
    assert_eq!(game.get::<Health>(wolf).map(|health| health.now), Some(1));

    let schemas = result(&mut game, "registry.schema", json!({}));
    assert_eq!(schemas["Health"]["properties"]["now"]["type"]["$ref"], "#/$defs/u32");
    assert_eq!((&schemas["Clock"]["reflectTypes"][0], schemas.get("Password")), (&json!("Resource"), None));
    assert_eq!(schemas["Clock"]["default"], json!({ "frame": 0, "leader": null }));
    assert_eq!(schemas["Clock"]["description"], "The time of the game.");
    assert!(schemas["Health"].get("default").is_none(), "`Health` has no `Default`");
    assert_eq!(result(&mut game, "registry.schema", json!({})), schemas, "the second time");
    assert_eq!(result(&mut game, "schedule.list", json!({}))["schedule_labels"], json!(["tick"]));
    let graph = result(&mut game, "schedule.graph", json!({ "schedule_label": "tick" }));
    assert_eq!(graph["schedule_data"]["systems"][1]["resources_written"], json!(["Clock"]));
    let methods = result(&mut game, "rpc.discover", json!({}))["methods"].as_array().map(Vec::len);
    assert_eq!(methods, Some(32));
}

#[test]
fn memory_is_given_back_and_only_by_those_who_may_write() {
    let (mut game, [_, wolf, _]) = game(Remote::default());
    game.spawn_batch((0..10_000).map(|now| Health { now, max: now }));
    game.retain::<(Entity, &Health)>(|(entity, _)| entity == wolf);
    let before = game.stats().bytes;
    assert_eq!(result(&mut game, "world.shrink_to_fit", json!({})), Value::Null);
    assert!(game.stats().bytes < before);
}

#[test]
fn a_text_asks_for_pages() {
    let (mut game, [_, wolf, other]) = game(Remote::default());
    let page = |after: Value| json!({ "text": "Health.now > 0, with ChildOf", "limit": 1, "after": after });
    let first = crate::game::call(&mut game, "world.query", json!({ "text": "Health.now > 0", "limit": 1 }));
    assert_eq!((&first["result"][0]["entity"], &first["more"]), (&json!(id(wolf)), &json!(true)));
    let last = crate::game::call(&mut game, "world.query", page(json!(id(wolf))));
    assert_eq!((&last["result"][0]["entity"], last.get("more")), (&json!(id(other)), None));
}

#[test]
fn aspects_are_listed_added_swapped_and_removed() {
    let (mut game, [pack, wolf, other]) = game(Remote::default());
    let listed = result(&mut game, "world.list_aspects", json!({}));
    let expected = json!([
        {
            "name": "Body", "description": "Something that can be hurt.", "components": ["Health", "Position"],
            "aspects": [], "entity_count": 1,
            "defaults": { "Health": { "now": 5, "max": 5 }, "Position": [0.0, 0.5] },
        },
        {
            "name": "Statue", "description": "", "components": ["Frozen"], "aspects": [], "entity_count": 1,
            "defaults": { "Frozen": null },
        },
    ]);
    assert_eq!(listed, expected, "`Spy` has a hidden component");
    assert_eq!(result(&mut game, "world.list_aspects", json!({ "entity": id(wolf) })), json!(["Body"]));
    let params = json!({ "entity": id(pack), "aspect": "Body", "changes": { "Health.now": 1 } });
    result(&mut game, "world.add_aspect", params.clone());
    assert_eq!(game.get::<Health>(pack).map(|health| (health.now, health.max)), Some((1, 5)));
    let (code, message) = error(&mut game, "world.add_aspect", params);
    assert_eq!((code, message), (-23402, format!("entity {pack} already has component `Health`")));
    let params = json!({ "entity": id(pack), "old": "Body", "new": "Statue" });
    result(&mut game, "world.swap_aspect", params);
    assert!(game.has::<Frozen>(pack) && !game.has::<Position>(pack));
    let removed = result(&mut game, "world.remove_aspect", json!({ "entity": id(wolf), "aspect": "Body" }));
    assert_eq!(removed["components"]["Health"], json!({ "now": 3, "max": 7 }));
    assert!(!game.has::<Health>(wolf));
    let params = json!({ "entity": id(other), "aspect": "Spy" });
    assert_eq!(error(&mut game, "world.add_aspect", params).1, "world `Game` has no aspect `Spy`");
}

#[test]
fn a_method_of_the_program_has_the_rights_of_its_request() {
    let (mut game, _) = game(Remote::default());
    let mut dispatcher = Dispatcher::new(&Options::new());
    let mut calls = 0;
    dispatcher.extend("game.spawn", move |world, params| {
        calls += 1;
        let name = params.get("name").ok_or("`name` is missing")?;
        let name = ecs::reflect::DynamicValue::from(name.as_str().unwrap_or_default());
        world.spawn(&[("Name", name)]).map_err(|error| error.to_string())?;
        assert!(world.as_ref().component("Password").is_err(), "what is hidden stays hidden");
        Ok(json!(calls))
    });
    let mut ask = |params: Value, may_write: bool| -> Value {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "game.spawn", "params": params });
        let request = Request::new(Method::Post, "/", body.to_string());
        let request = if may_write { request.may_write() } else { request };
        serde_json::from_str(&dispatcher.answer(&mut game, &request).body).expect("an answer is JSON")
    };
    let refused = ask(json!({ "name": "fox" }), false);
    assert_eq!(refused["error"]["code"], -32002);
    assert!(refused["error"]["message"].as_str().is_some_and(|text| text.contains("read-only")), "{refused}");
    assert_eq!(ask(json!({}), true)["error"], json!({ "code": -32002, "message": "`name` is missing" }));
    assert_eq!(ask(json!({ "name": "fox" }), true)["result"], 3, "state is kept between calls");
    let methods = result(&mut game, "rpc.discover", json!({}));
    assert!(!methods.to_string().contains("game.spawn"), "another dispatcher does not have it");
    let body = r#"{ "jsonrpc": "2.0", "id": 1, "method": "rpc.discover" }"#;
    let known = dispatcher.answer(&mut game, &Request::new(Method::Post, "/", body)).body;
    assert!(known.contains("game.spawn") && known.contains("world.query"));
}

#[test]
#[should_panic(expected = "method `bevy/get` exists already")]
fn a_method_of_the_server_is_not_replaced() {
    Dispatcher::new(&Options::new()).extend("bevy/get", |_, _| Ok(Value::Null));
}

#[test]
fn a_method_that_panics_can_be_called_again() {
    let (mut game, _) = game(Remote::default());
    let mut dispatcher = Dispatcher::new(&Options::new());
    let mut calls = 0;
    dispatcher.extend("game.fail", move |_, _| {
        calls += 1;
        if calls == 1 { panic!("the first call fails") } else { Ok(json!(calls)) }
    });
    let request = Request::new(Method::Post, "/", r#"{ "jsonrpc": "2.0", "id": 1, "method": "game.fail" }"#);
    let first = std::panic::AssertUnwindSafe(|| dispatcher.answer(&mut game, &request));
    assert!(std::panic::catch_unwind(first).is_err());
    assert!(dispatcher.answer(&mut game, &request).body.contains("\"result\":2"));
}
