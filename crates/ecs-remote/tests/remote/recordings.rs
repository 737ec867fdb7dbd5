//! Recordings with answers, as tests.

use std::time::Duration;

use ecs::prelude::*;
use ecs_remote::{Dispatcher, Limits, Method, Options, Recording, Remote, Request, Writes};
use serde_json::json;

use crate::client::request;
use crate::game::{Game, Health, game};

/// No request takes several calls, however busy the machine is.
fn options() -> Options {
    let mut limits = Limits::default();
    limits.budget = Duration::from_secs(20);
    Options::new().writes(Writes::Anybody).limits(limits)
}

/// Replays a recording in as many calls; returns the differences as text.
fn replay(recording: Recording, calls: usize) -> (Vec<String>, Game) {
    let replay = Remote::replay(recording, &options());
    let (mut again, _) = game(replay.clone());
    (0..calls).for_each(|_| again.tick());
    (replay.mismatches().iter().map(ToString::to_string).collect(), again)
}

#[test]
fn a_session_is_a_test_of_the_world() {
    let remote = Remote::bind(options().port(0)).expect("the loopback has a free port");
    remote.record_all();
    let (address, recorder) = (remote.address().expect("it is bound"), remote.clone());
    let (mut game, _) = game(remote);
    let call =
        |method: &str, params| json!({ "jsonrpc": "2.0", "id": 3, "method": method, "params": params });
    let hit = json!({ "message": "Hit", "value": 1 });
    let requests = [
        ("POST", "/", call("world.query", json!({ "text": "Health" })).to_string()),
        ("POST", "/", call("world.write_message", hit.clone()).to_string()),
        ("POST", "/", call("world.get_resources", json!({ "resource": "Clock" })).to_string()),
        ("PUT", "/entity/pack/cub", String::new()),
        ("GET", "/query?expr=(flecs.core.ChildOf,%23pack)", String::new()),
        ("GET", "/query?expr=Health", String::new()),
        ("GET", "/stats/world", String::new()),
        (
            "POST",
            "/",
            json!([call("world.write_message", hit), call("rpc.discover", json!({})), 7]).to_string(),
        ),
        ("POST", "/", "{ no JSON".to_owned()),
        ("POST", "/", call("world.query", json!({ "text": "Health" })).to_string()),
    ];
    let count = requests.len();
    let client = std::thread::spawn(move || {
        for (method, target, body) in requests {
            request(address, method, target, "", &body);
        }
    });
    let mut ticks = 0;
    while !client.is_finished() {
        game.tick();
        ticks += 1;
        std::thread::sleep(Duration::from_micros(300));
    }
    let recording = recorder.recording().expect("it was recorded");
    assert_eq!((recording.len(), recording.is_full()), (count + 2, false), "{recording}");

    let text = recording.to_string();
    assert!(text.contains(r#","request":"PUT /entity/pack/cub","may_write":true,"answer":{"id":"#), "{text}");
    let read: Recording = text.parse().expect("its own text");
    assert_eq!(read.to_string(), text);
    let (mismatches, again) = replay(read, ticks);
    assert_eq!((mismatches, again.hash()), (Vec::new(), game.hash()));

    // another world, or another expectation, is told
    let edited = text.replace(r#"{"now":1,"max":7}"#, r#"{"now":2,"max":7}"#);
    assert_ne!(edited, text);
    let (mismatches, _) = replay(edited.parse().expect("it is a recording"), ticks);
    assert_eq!(mismatches.len(), 1);
    assert!(
        mismatches[0].contains("\"text\":\"Health\"") && mismatches[0].contains("and now by"),
        "{mismatches:?}"
    );
}

#[test]
fn mistakes_in_the_text_of_a_recording_name_the_line() {
    for (text, reason) in [
        ("\n# a note\n{", "line 3 of the recording: EOF while parsing"),
        (r#"{"request":{}}"#, "line 1 of the recording: `call` is the number of a call"),
        (r#"{"call":-1,"request":{}}"#, "`call` is the number of a call"),
        (r#"{"call":1}"#, "`request` is one of JSON-RPC"),
        (r#"{"call":1,"request":"GET"}"#, "`request` is as in \"GET /query?expr=Health\""),
        (r#"{"call":1,"request":"BREW /"}"#, "the method `BREW` is not supported"),
        (r#"{"call":1,"request":{},"answr":{}}"#, "`answr` is not one of"),
        (
            "{\"call\":2,\"request\":{}}\n{\"call\":1,\"request\":{}}",
            "line 2 of the recording: the call is earlier",
        ),
    ] {
        let error = text.parse::<Recording>().expect_err(text).to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    assert!("\n\n# nothing\n".parse::<Recording>().expect("it is empty").is_empty());
}

#[test]
fn a_watch_without_a_server_has_an_error() {
    let (mut game, [_, wolf, _]) = game(Remote::default());
    for method in ["world.query+watch", "world.observe+watch", "world.get_resources+watch"] {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": {} }).to_string();
        let answer = Dispatcher::new(&options()).answer(&mut game, &Request::new(Method::Post, "/", body));
        assert!(answer.body.contains("a watch needs a connection of its own"), "{}", answer.body);
    }
    assert!(game.has::<Health>(wolf));
}
