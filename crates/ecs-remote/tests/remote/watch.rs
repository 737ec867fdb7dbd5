//! Clients that watch.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs::reflect::PrefabLibrary;
use ecs_remote::{Dispatcher, Limits, Method, Options, Remote, Request, Writes};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::client::request;
use crate::server::Running;

/// The connection of a client that watches.
struct Stream {
    socket: TcpStream,
    text: String,
}

impl Stream {
    fn open(address: SocketAddr, method: &str, params: &Value) -> Self {
        let body = json!({ "jsonrpc": "2.0", "id": 9, "method": method, "params": params }).to_string();
        let length = body.len();
        let mut socket = TcpStream::connect(address).expect("the server accepts");
        socket.set_read_timeout(Some(Duration::from_secs(20))).expect("can be set");
        let head = format!(
            "POST / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
        );
        socket.write_all(format!("{head}{body}").as_bytes()).expect("the server reads");
        Self { socket, text: String::new() }
    }

    /// Reads until the text contains a part; forgets what was before it.
    #[track_caller]
    fn until(&mut self, part: &str) -> String {
        while !self.text.contains(part) {
            let mut bytes = [0; 4_096];
            let count = self.socket.read(&mut bytes).expect("the server goes on");
            assert!(count > 0, "the stream ends before `{part}`: {}", self.text);
            self.text.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
        let end = self.text.find(part).map_or(0, |at| at + part.len());
        self.text.drain(..end).collect()
    }

    /// Reads the rest, until the server closes the connection.
    fn rest(mut self) -> String {
        let mut rest = Vec::new();
        self.socket.read_to_end(&mut rest).expect("the server ends the stream");
        self.text + &String::from_utf8_lossy(&rest)
    }
}

fn change(running: &Running, method: &str, params: &Value) {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let (status, _, answer) = request(running.address, "POST", "/", "", &body.to_string());
    assert!(status == 200 && !answer.contains("error"), "{answer}");
}

#[test]
fn changes_of_components_are_events() {
    let running = Running::start(Options::new().writes(Writes::Anybody));
    let watched = json!({ "entity": "4v1", "components": ["Health", "Frozen", "Wings"] });
    let mut stream = Stream::open(running.address, "world.get_components+watch", &watched);
    let head = stream.until("\r\n\r\n");
    assert!(head.starts_with("HTTP/1.1 200") && head.contains("content-type: text/event-stream"), "{head}");
    let first = stream.until("\n\n");
    let values =
        r#""components":{"Health":{"now":3,"max":7}},"removed":[],"errors":{"Wings":{"code":-23402,"#;
    assert!(first.contains(values) && first.contains("data: {\"jsonrpc\":\"2.0\",\"id\":9"), "{first}");

    let part = json!({ "entity": "4v1", "component": "Health", "path": "now", "value": 5 });
    change(&running, "world.mutate_components", &part);
    let next = stream.until("\n\n");
    assert!(next.contains(r#""components":{"Health":{"now":5,"max":7}}"#), "{next}");
    change(
        &running,
        "world.insert_components",
        &json!({ "entity": "4v1", "components": { "Frozen": null } }),
    );
    assert!(stream.until("\n\n").contains(r#""components":{"Frozen":null}"#));
    change(&running, "world.remove_components", &json!({ "entity": "4v1", "components": ["Frozen"] }));
    let removal = stream.until("\n\n");
    assert!(
        removal.contains(r#""components":{}"#) && removal.contains(r#""removed":["Frozen"]"#),
        "{removal}"
    );
    // the end of the entity is the end of the stream
    change(&running, "world.despawn_entity", &json!({ "entity": "4v1" }));
    let rest = stream.rest();
    assert!(rest.contains("-23401") && rest.contains("this watch ends"), "{rest}");
}

#[test]
fn added_and_removed_components_are_events() {
    let running = Running::start(Options::new().writes(Writes::Anybody));
    let wolf = json!({ "entity": "4v1" });
    let mut stream = Stream::open(running.address, "world.list_components+watch", &wolf);
    stream.until(r#""result":{"added":["Name","ChildOf","Position","Health"],"removed":[]}"#);
    change(
        &running,
        "world.insert_components",
        &json!({ "entity": "4v1", "components": { "Frozen": null } }),
    );
    stream.until(r#""result":{"added":["Frozen"],"removed":[]}"#);
    change(&running, "world.remove_components", &json!({ "entity": "4v1", "components": ["Name"] }));
    stream.until(r#""result":{"added":[],"removed":["Name"]}"#);
    let unknown = json!({ "entity": "9v9", "components": [] });
    let refused = Stream::open(running.address, "world.get_components+watch", &unknown).rest();
    assert!(refused.contains("-23401") && refused.contains("application/json"), "{refused}");
    let strict = json!({ "entity": "4v1", "components": ["Helth"], "strict": true });
    let refused = Stream::open(running.address, "world.get_components+watch", &strict).rest();
    assert!(refused.contains("did you mean `Health`?"), "{refused}");
}

#[test]
fn clients_that_watch_leave_a_connection_for_requests() {
    let mut limits = Limits::default();
    limits.connections = 3;
    assert!(limits.watchers > limits.connections);
    let running = Running::start(Options::new().limits(limits));
    let list = |wolf| {
        let mut stream =
            Stream::open(running.address, "world.list_components+watch", &json!({ "entity": wolf }));
        stream.until("}\n\n");
        stream
    };
    let _watches = (list("4v1"), list("4v1"));
    let begin = Instant::now();
    // the connection of an answer that was read may be open for a moment
    let answer_of = |method: &str| loop {
        let body = json!({ "jsonrpc": "2.0", "id": 9, "method": method }).to_string();
        let (status, _, answer) = request(running.address, "POST", "/", "", &body);
        if status != 503 {
            return answer;
        }
        assert!(begin.elapsed() < Duration::from_secs(20), "no connection is left");
        thread::sleep(Duration::from_millis(20));
    };
    let refused = answer_of("world.list_components+watch");
    assert!(refused.contains("-32001") && refused.contains("2 clients watch already"), "{refused}");
    assert!(answer_of("world.list_resources").contains("Clock"));
}

#[test]
fn the_number_of_watchers_has_a_limit() {
    let mut limits = Limits::default();
    limits.watchers = 2;
    let running = Running::start(Options::new().limits(limits));
    let open = || Stream::open(running.address, "world.list_components+watch", &json!({ "entity": "4v1" }));
    let (mut first, mut second) = (open(), open());
    first.until("added");
    second.until("added");
    let refused = open().rest();
    assert!(refused.contains("-32001") && refused.contains("2 clients watch already"), "{refused}");
    // the place of a client that has gone is free
    drop(first);
    let begin = Instant::now();
    loop {
        let mut next = open();
        if next.until("\"id\":9").contains("event-stream") {
            break;
        }
        assert!(begin.elapsed() < Duration::from_secs(20), "no place is free again");
        thread::sleep(Duration::from_millis(20));
    }
    let batch = r#"[{ "jsonrpc": "2.0", "id": 1, "method": "world.list_components+watch" }]"#;
    assert!(request(running.address, "POST", "/", "", batch).2.contains("not a part of a batch"));
}

#[derive(Component, Serialize, Deserialize)]
struct Noise(String);
#[derive(Component, Serialize, Deserialize, PartialEq, Debug)]
struct Life {
    now: u32,
}

world! {
    #[derive(Reflect)]
    struct Loud {
        components { Noise, Life, ChildOf }
        resources { PrefabLibrary = PrefabLibrary::default() }
    }
}

#[test]
fn a_client_that_does_not_read_loses_its_watch_and_its_connection() {
    let mut limits = Limits::default();
    (limits.connections, limits.timeout) = (2, Duration::from_millis(500));
    let remote = Remote::bind(Options::new().port(0).limits(limits)).expect("the loopback has a free port");
    let address = remote.address().expect("it is bound");
    let mut loud = Loud::default();
    let entity = loud.spawn(Noise(String::new()));
    let asked = json!({ "entity": entity.to_string(), "components": ["Noise"] });
    let silent = Stream::open(address, "world.get_components+watch", &asked);
    let (begin, mut has_watched, mut most) = (Instant::now(), false, Duration::ZERO);
    for turn in 0_u32.. {
        loud.insert(entity, Noise(turn.to_string().repeat(40_000))).expect("it lives");
        let served = remote.serve(&mut loud);
        has_watched |= served.watchers == 1;
        most = most.max(served.took);
        if has_watched && served.watchers == 0 {
            break;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "the client still watches after {turn} calls");
        thread::sleep(Duration::from_millis(1));
    }
    assert!(most < Duration::from_secs(2), "no call waits for the client, but one has taken {most:?}");
    // its connection is free again, although the client keeps its end open: another client watches,
    // and a third one asks
    let client = thread::spawn(move || {
        let mut watches = Stream::open(address, "world.get_components+watch", &asked);
        watches.until("event-stream");
        let list = r#"{ "jsonrpc": "2.0", "id": 1, "method": "world.list_resources" }"#;
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(20) {
            if request(address, "POST", "/", "", list).0 == 200 {
                return true;
            }
            thread::sleep(Duration::from_millis(50));
        }
        false
    });
    while !client.is_finished() {
        remote.serve(&mut loud);
        thread::sleep(Duration::from_millis(1));
    }
    assert!(client.join().expect("an answer"), "the connection is free");
    drop(silent);
}

#[test]
fn floods_of_watches_and_deep_json_do_not_delay_the_ticks() {
    let mut limits = Limits::default();
    (limits.connections, limits.watchers, limits.timeout) = (32, 4, Duration::from_secs(1));
    let running = Running::start(Options::new().limits(limits));
    let address = running.address;
    let clients = (0..8).map(|client| {
        thread::spawn(move || {
            let deep = "[".repeat(60_000);
            let mut open = Vec::new();
            for turn in 0..40 {
                if (client + turn) % 2 == 0 {
                    let all = json!({ "entity": "4v1", "components": ["Health", "Name", "Position"] });
                    open.push(Stream::open(address, "world.get_components+watch", &all));
                    continue;
                }
                let head = format!(
                    "POST / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
                    deep.len()
                );
                // a server without a place closes the connection
                if let Ok(answer) = crate::client::send(address, format!("{head}{deep}").as_bytes()) {
                    let is_known =
                        ["-32700", "HTTP/1.1 503", "HTTP/1.1 429"].iter().any(|part| answer.contains(part));
                    assert!(is_known || answer.is_empty(), "{answer}");
                }
            }
        })
    });
    let clients: Vec<_> = clients.collect();
    for client in clients {
        client.join().expect("all answers are known");
    }
    let begin = Instant::now();
    let list = r#"{ "jsonrpc": "2.0", "id": 1, "method": "world.list_resources" }"#;
    while request(address, "POST", "/", "", list).0 != 200 {
        assert!(begin.elapsed() < Duration::from_secs(20), "the server has places again");
        thread::sleep(Duration::from_millis(50));
    }
    let (_, longest) = running.end();
    assert!(longest < Duration::from_secs(2), "a tick has taken {longest:?}");
}

#[test]
fn prefabs_are_listed_and_spawned_with_changes() {
    let mut loud = Loud::default();
    *loud.resource_mut::<PrefabLibrary>() = serde_json::from_str(
        r#"{ "bat": { "bat": { "Life": { "now": 7 } }, "cub": { "ChildOf": "bat" } } }"#,
    )
    .expect("it is a library");
    let call = |loud: &mut Loud, method: &str, params: Value| -> Value {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let request = Request::new(Method::Post, "/", body.to_string()).may_write();
        let answer = Dispatcher::new(&Options::new()).answer(loud, &request);
        serde_json::from_str(&answer.body).expect("answers are JSON")
    };
    assert_eq!(call(&mut loud, "world.list_prefabs", json!({}))["result"], json!(["bat"]));
    let changed =
        json!({ "prefab": "bat", "changes": { "bat": { "Life.now": 3 }, "cub": { "Life": { "now": 1 } } } });
    let spawned = call(&mut loud, "world.spawn_prefab", changed);
    let values: Vec<u32> = loud.query::<&Life>().iter().map(|life| life.now).collect();
    assert!(values.contains(&3) && values.contains(&1) && values.len() == 2, "{spawned}");
    let cub =
        json!({ "entity": spawned["result"]["entities"]["cub"], "components": ["ChildOf"], "strict": true });
    assert_eq!(
        call(&mut loud, "world.get_components", cub)["result"]["ChildOf"],
        spawned["result"]["entities"]["bat"]
    );
    for (params, message) in [
        (json!({ "prefab": "rat" }), "did you mean `bat`?"),
        (json!({ "prefab": "bat", "changes": { "bat": { "Life.nwo": 3 } } }), "did you mean `now`?"),
        (json!({ "prefab": "bat", "changes": { "bat": 3 } }), "are an object"),
    ] {
        let answer = call(&mut loud, "world.spawn_prefab", params);
        assert!(answer["error"]["message"].as_str().is_some_and(|text| text.contains(message)), "{answer}");
    }
    assert_eq!(loud.entities().len(), 2, "a refused prefab spawns nothing");
}
