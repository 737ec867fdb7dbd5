//! Requests of clients that are broken or mean harm, without sockets.

use ecs::prelude::*;
use ecs::reflect::ReflectWorld;
use ecs_remote::{Dispatcher, Limits, Method, Options, Remote, Request};
use serde_json::{Value, json};

use crate::game::{Frozen, Game, Health, game};

fn post(dispatcher: &mut Dispatcher, game: &mut Game, body: &str) -> (u16, Value) {
    let answer = dispatcher.answer(game, &Request::new(Method::Post, "/", body).may_write());
    (answer.status, serde_json::from_str(&answer.body).unwrap_or(Value::Null))
}

#[test]
fn bodies_that_are_no_requests_get_the_codes_of_json_rpc() {
    let (mut game, _) = game(Remote::default());
    let mut dispatcher = Dispatcher::new(&Options::new());
    let deep = "[".repeat(60_000);
    let deep_value = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"world.spawn_entity","params":{{"components":{{"Items":{}1{}}}}}}}"#,
        "[".repeat(120),
        "]".repeat(120)
    );
    let huge = format!(r#"{{"jsonrpc":"2.0","id":1,"method":"{}"}}"#, "x".repeat(60_000));
    let before = game.hash();
    for (body, code) in [
        ("", -32700),
        ("{", -32700),
        (&deep, -32700),
        ("3", -32600),
        ("[]", -32600),
        (r#"{"id":1}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":[1],"method":"rpc.discover"}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":3}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":1,"method":"world.fly"}"#, -32601),
        (&huge, -32601),
        (r#"{"jsonrpc":"2.0","id":1,"method":"world.get_components","params":[1]}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"world.get_components"}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":1,"method":"world.get_components","params":{"entity":1e99}}"#, -23401),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"world.get_components","params":{"entity":18446744073709551615}}"#,
            -23401,
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"world.query","params":{"text":"Health.now <"}}"#, -32602),
        (&deep_value, -23402),
    ] {
        let (status, answer) = post(&mut dispatcher, &mut game, body);
        let start: String = body.chars().take(80).collect();
        assert_eq!((status, &answer["error"]["code"]), (200, &json!(code)), "{start}: {answer}");
    }
    let long = Request::new(Method::Post, "/", "x".repeat(70_000));
    assert_eq!(dispatcher.answer(&mut game, &long).status, 413);
    assert_eq!(game.hash(), before);
}

#[test]
fn paths_and_parameters_of_no_form_are_refused() {
    let (mut game, _) = game(Remote::default());
    let mut dispatcher = Dispatcher::new(&Options::new());
    let before = game.hash();
    let long = format!("/entity/{}", "a/".repeat(4_000));
    for (method, target) in [
        (Method::Get, ""),
        (Method::Get, "/entity"),
        (Method::Get, "/entity/%"),
        (Method::Get, "/entity/%f"),
        (Method::Get, "/entity/%ff"),
        (Method::Get, "/entity/%23"),
        (Method::Get, "/entity/%2399999999999999999999"),
        (Method::Get, "/entity/%231v1v1"),
        (Method::Get, "/entity/%231@"),
        (Method::Get, &long),
        (Method::Get, "/component/pack"),
        (Method::Put, "/component/pack?component=(ChildOf"),
        (Method::Put, "/component/pack?component=(ChildOf,%230)"),
        (Method::Put, "/component/pack?component=Health&value={%22nwo%22:1}"),
        (Method::Put, "/component/pack/wolf?component=Health&value={%22%22:1}"),
        (Method::Get, "/query?expr=,,(((&limit=x"),
        (Method::Get, "/query?expr=%22%22"),
        (Method::Put, "/toggle/tick?enable=maybe"),
        (Method::Put, "/script/x"),
        (Method::Delete, "/"),
    ] {
        let answer = dispatcher.answer(&mut game, &Request::new(method, target, "").may_write());
        assert!((400..500).contains(&answer.status), "{target}: {answer:?}");
        assert!(answer.body.contains("\"error\""), "{target}: {answer:?}");
    }
    assert_eq!(game.hash(), before);
}

#[test]
fn limits_bound_batches_results_answers_and_comparisons() {
    let (mut game, _) = game(Remote::default());
    game.spawn_batch((0..5_000).map(|now| Health { now, max: 7 }));
    let mut limits = Limits::default();
    (limits.batch, limits.results, limits.work, limits.response) = (3, 50, 6_000, 2_500);
    let mut dispatcher = Dispatcher::new(&Options::new().limits(limits));
    let query = |text: &str| json!({ "jsonrpc": "2.0", "id": 1, "method": "world.query", "params": { "text": text } });

    // a client that asks for a page knows that there may be more; another one gets all rows or an
    // error
    let mut page = query("with Health");
    page["params"]["limit"] = json!(100);
    let (_, answer) = post(&mut dispatcher, &mut game, &page.to_string());
    assert_eq!((answer["result"].as_array().map(Vec::len), &answer["more"]), (Some(50), &json!(true)));
    let mut error = |text: &str| {
        let (status, answer) = post(&mut dispatcher, &mut game, &query(text).to_string());
        assert_eq!((status, &answer["error"]["code"]), (200, &json!(-32001)), "{answer}");
        answer["error"]["message"].as_str().map(str::to_owned).unwrap_or_default()
    };
    assert!(error("with Health").contains("more than 50 rows: ask for pages with `limit` and `after`"));
    assert!(error("Health").contains("longer than 2500 bytes"));
    let batch = vec![query("with Health, limit 1"); 4];
    assert_eq!(post(&mut dispatcher, &mut game, &json!(batch).to_string()).1["error"]["code"], -32600);
    // each query alone compares few enough, both do not
    let compare = query("with Health, Health.now > 4998");
    let (_, answer) = post(&mut dispatcher, &mut game, &json!([compare, compare]).to_string());
    assert!(answer[0]["result"].is_array() && answer[1]["error"]["code"] == -32001, "{answer}");
}

#[test]
fn a_request_over_its_work_has_an_error_of_its_own_and_changes_nothing() {
    let (mut game, [pack, wolf, other]) = game(Remote::default());
    let mut limits = Limits::default();
    limits.work = 5;
    let mut dispatcher = Dispatcher::new(&Options::new().limits(limits));
    let before = game.hash();
    let many = vec!["Health"; 6];
    for (method, params) in [
        ("world.get_components", json!({ "entity": wolf.to_string(), "components": many })),
        ("world.remove_components", json!({ "entity": wolf.to_string(), "components": many })),
        (
            "world.reparent_entities",
            json!({ "entities": vec![other.to_string(); 6], "parent": wolf.to_string() }),
        ),
        (
            "world.spawn_entity",
            json!({ "components": { "Name": "a", "Health": null, "Mind": null, "Frozen": null, "Items": [], "Position": [1, 2] } }),
        ),
        ("registry.schema", json!({})),
    ] {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let (_, answer) = post(&mut dispatcher, &mut game, &body.to_string());
        assert_eq!(answer["error"]["code"], -32001, "{method}: {answer}");
    }
    assert_eq!(game.hash(), before);
    game.spawn_batch((0..10).map(|_| ChildOf(pack)));
    let children =
        |of: &str| Request::new(Method::Get, format!("/query?expr=(flecs.core.ChildOf,%23{of})"), "");
    assert_eq!(dispatcher.answer(&mut game, &children("0")).status, 200, "one root");
    let answer = dispatcher.answer(&mut game, &children(&pack.to_string()));
    assert_eq!(answer.status, 422, "{}", answer.body);
    let few = json!({ "jsonrpc": "2.0", "id": 1, "method": "world.get_components", "params": { "entity": wolf.to_string(), "components": ["Health"] } });
    assert!(
        post(&mut dispatcher, &mut game, &few.to_string()).1["result"].is_object(),
        "each request begins anew"
    );
}

#[test]
fn a_list_of_aspects_costs_work_for_the_entities_that_it_counts() {
    let (mut game, _) = game(Remote::default());
    let cost = |game: &Game| game.reflect().cost_aspects();
    // `Body` has two components, `Statue` one, and the world has less than 4,096 slots
    assert_eq!(cost(&game), 6);
    game.spawn_batch((0..20_000).map(|_| Frozen));
    assert!((15..30).contains(&cost(&game)), "{}", cost(&game));
    let mut limits = Limits::default();
    limits.work = cost(&game);
    let mut dispatcher = Dispatcher::new(&Options::new().limits(limits));
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "world.list_aspects" });
    let (_, answer) = post(&mut dispatcher, &mut game, &json!([list, list]).to_string());
    assert!(answer[0]["result"].is_array() && answer[1]["error"]["code"] == -32001, "{answer}");
    let request = Request::new(Method::Get, "/aspects", "");
    assert_eq!(dispatcher.answer(&mut game, &request).status, 200);
    game.spawn_batch((0..20_000).map(|_| Frozen));
    assert_eq!(dispatcher.answer(&mut game, &request).status, 422);
}

#[test]
fn a_query_of_many_parts_costs_no_more_than_its_limits() {
    let (mut game, _) = game(Remote::default());
    game.spawn_batch((0..5_000).map(|now| Health { now, max: 7 }));
    let mut limits = Limits::default();
    limits.work = 20_000;
    let mut dispatcher = Dispatcher::new(&Options::new().limits(limits));
    let mut query = |params: serde_json::Value| {
        let request = json!({ "jsonrpc": "2.0", "id": 1, "method": "world.query", "params": params });
        post(&mut dispatcher, &mut game, &request.to_string()).1
    };
    // names that are repeated until the body is full
    let text = "Health, ?Health, ".repeat(3_800) + "limit 1000";
    let answer = query(json!({ "text": text }));
    assert_eq!(answer["result"].as_array().map(Vec::len), Some(1_000));
    let short = |part: &str| vec![part; 1_000].join(", ");
    for text in
        [short("order by Health.now"), short("Health.now >= 0"), short("Health.now < 9, order by Health.max")]
    {
        let code = &query(json!({ "text": text }))["error"]["code"];
        assert!(*code == -32602 || *code == -32001, "{code}: {text:.40}");
    }
    let many: Vec<String> = (0..3_000).map(|n| format!("m{n}::Health")).collect();
    for member in ["components", "option", "has"] {
        assert_eq!(query(json!({ "data": { member: many } }))["error"]["code"], -32602, "{member}");
    }
    // five values of each of 5,000 entities
    let text = ["Health.now >= 0"; 5].join(", ");
    assert_eq!(query(json!({ "text": text }))["error"]["code"], -32001);
}
