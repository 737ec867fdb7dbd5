//! The methods of JSON-RPC.

use crate::game::{Health, error, game, id, result};
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
