//! The rows W47 and W48 of the acceptance tests: an explorer reads and changes a running program
//! over a socket. `tests/acceptance` names these tests.

use ecs::prelude::*;
use ecs_remote::{Dispatcher, Method, Options, Remote, Request, Writes};
use serde_json::{Value, json};

use crate::client::request;
use crate::game::{Frozen, Health, game, id};
use crate::server::Running;

fn send(running: &Running, method: &str, target: &str, body: &str) -> Value {
    let (status, _, answer) = request(running.address, method, target, "", body);
    assert_eq!(status, 200, "{target} {body}: {answer}");
    serde_json::from_str(&answer).expect("answers are JSON")
}

fn call(running: &Running, method: &str, params: Value) -> Value {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let mut answer = send(running, "POST", "/", &body.to_string());
    assert!(answer.get("error").is_none(), "{method}: {answer}");
    answer["result"].take()
}

#[test]
fn w47_explorers_read_the_matrix_the_systems_and_the_times() {
    let running = Running::start(Options::new());
    // the heartbeat and the tree of the flecs explorer
    assert_eq!(send(&running, "GET", "/entity/flecs/core/World?values=true&label=true", "")["name"], "World");
    let roots = send(&running, "GET", "/query?expr=(flecs.core.ChildOf,%230)", "");
    assert_eq!(roots["results"][0]["doc"]["label"], "pack");
    let wolf = send(&running, "GET", "/entity/pack/wolf?values=true&type_info=true", "");
    assert_eq!(
        (&wolf["components"]["Health"]["max"], &wolf["type_info"]["Health"]["now"][0]),
        (&json!(7), &json!("int"))
    );
    // filtered and sorted rows with their values, as clients of Bevy ask
    let rows =
        call(&running, "world.query", json!({ "text": "Health, Health.now < 9, order by Health.now desc" }));
    let values: Vec<&Value> =
        rows.as_array().expect("rows").iter().map(|row| &row["components"]["Health"]["now"]).collect();
    assert_eq!(values, [&json!(5), &json!(3)]);
    let graph = call(&running, "schedule.graph", json!({ "schedule_label": "tick" }));
    let systems = graph["schedule_data"]["systems"].as_array().expect("systems");
    let writers: Vec<&Value> =
        systems.iter().filter(|of| of["writes"] == json!(["Health"])).map(|of| &of["name"]).collect();
    assert_eq!(writers, [&json!("hurt")], "the systems of an entity follow from its components");
    assert_eq!(send(&running, "GET", "/stats/pipeline", ""), json!([]), "no times before they are measured");

    // the times of the systems, once the program measures them
    let (mut game, _) = game(Remote::default());
    game.time_systems(true);
    (0..3).for_each(|_| game.tick());
    let request = Request::new(Method::Get, "/stats/pipeline", "");
    let answer = Dispatcher::new(&Options::new()).answer(&mut game, &request);
    let times: Value = serde_json::from_str(&answer.body).expect("answers are JSON");
    let times = times.as_array().expect("a list of systems");
    let names: Vec<&Value> = times.iter().map(|of| &of["name"]).collect();
    let measured: Vec<&str> = game.timings().iter().map(|timing| timing.system).collect();
    assert!(names.contains(&&json!("hurt")) && names == measured, "{names:?}, {measured:?}");
    for of in times {
        let seconds = |field: &str| of[field].as_f64().expect("a time");
        assert_eq!(of["runs"], 3, "{of}");
        assert!(
            seconds("longest") > 0.0 && seconds("longest") >= seconds("mean") && seconds("mean") > 0.0,
            "{of}"
        );
    }
}

#[test]
fn w48_explorers_edit_create_destroy_and_move() {
    let running = Running::start(Options::new().writes(Writes::Anybody));
    send(&running, "PUT", "/entity/pack/cub", "");
    send(&running, "PUT", "/component/pack/cub?component=Health&value=%7B%22now%22:1,%22max%22:4%7D", "");
    send(&running, "PUT", "/component/pack/cub?component=Frozen", "");
    send(&running, "PUT", "/component/pack/wolf?component=Health&value=%7B%22now%22:6%7D", "");
    let cub = send(&running, "GET", "/entity/pack/cub", "");
    let wolf = send(&running, "GET", "/entity/pack/wolf", "")["id"].clone();
    // the cub moves from the pack to the wolf, and its frost to the wolf
    call(&running, "world.reparent_entities", json!({ "entities": [cub["id"]], "parent": wolf }));
    call(&running, "world.remove_components", json!({ "entity": cub["id"], "components": ["Frozen"] }));
    call(&running, "world.insert_components", json!({ "entity": wolf, "components": { "Frozen": null } }));
    assert_eq!(
        send(&running, "GET", "/entity/pack/wolf/cub", "")["components"]["Health"],
        json!({ "now": 1, "max": 4 })
    );
    send(&running, "PUT", "/toggle/count?enable=false", "");
    send(&running, "DELETE", "/entity/pack/wolf/cub", "");
    let (game, _) = running.end();
    let animals = game.query::<(Entity, &Health)>();
    let (entity, health) =
        animals.iter().find(|(entity, _)| json!(id(*entity)) == wolf).expect("the wolf lives");
    assert_eq!((health.now, health.max, game.has::<Frozen>(entity)), (6, 7, true));
    assert_eq!(game.entities().len(), 3, "the cub is gone");
}
