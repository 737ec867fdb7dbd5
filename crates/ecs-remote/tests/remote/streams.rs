//! Clients that follow queries, resources and events, over sockets.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs_remote::{Limits, Options, Remote};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};

use crate::client::request;
use crate::game::id;

/// The connection of a client that watches, which reads chunks.
struct Stream {
    socket: TcpStream,
    bytes: Vec<u8>,
    text: String,
}

impl Stream {
    fn open(address: SocketAddr, id: &Value, method: &str, params: &Value) -> Self {
        let body = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string();
        let length = body.len();
        let mut socket = TcpStream::connect(address).expect("the server accepts");
        socket.set_read_timeout(Some(Duration::from_secs(20))).expect("can be set");
        let head = format!("POST / HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\n\r\n");
        socket.write_all(format!("{head}{body}").as_bytes()).expect("the server reads");
        Self { socket, bytes: Vec::new(), text: String::new() }
    }

    /// Reads up to and with a part.
    fn until(&mut self, part: &[u8]) -> Option<Vec<u8>> {
        loop {
            if let Some(at) = self.bytes.windows(part.len()).position(|bytes| bytes == part) {
                return Some(self.bytes.drain(..at + part.len()).collect());
            }
            let mut bytes = [0; 4_096];
            let count = self.socket.read(&mut bytes).expect("the server goes on");
            if count == 0 {
                return None;
            }
            self.bytes.extend_from_slice(&bytes[..count]);
        }
    }

    /// The next message; `None` at the end.
    fn next(&mut self) -> Option<Value> {
        while !self.text.contains("\n\n") {
            let line = self.until(b"\r\n")?;
            let line = String::from_utf8_lossy(&line);
            // lines of the head are no numbers; a number has a chunk of so many bytes behind it
            let Ok(length) = usize::from_str_radix(line.trim(), 16) else { continue };
            if length == 0 && !line.trim().is_empty() {
                return None;
            }
            while self.bytes.len() < length + 2 {
                let mut bytes = [0; 4_096];
                let count = self.socket.read(&mut bytes).expect("the server goes on");
                assert!(count > 0, "the connection ends in a chunk");
                self.bytes.extend_from_slice(&bytes[..count]);
            }
            let chunk: Vec<u8> = self.bytes.drain(..length + 2).collect();
            self.text.push_str(&String::from_utf8_lossy(&chunk[..length]));
        }
        let (message, rest) = self.text.split_once("\n\n").expect("it is there");
        let json = message.strip_prefix("data: ").expect("a server-sent event");
        let message = serde_json::from_str(json).expect("messages are JSON");
        self.text = rest.to_owned();
        Some(message)
    }
}

static READS: AtomicUsize = AtomicUsize::new(0);

/// It counts how often it is read.
#[derive(Component, Clone, Deserialize)]
struct Counted(u32);

impl Serialize for Counted {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        READS.fetch_add(1, Ordering::Relaxed);
        serializer.serialize_u32(self.0)
    }
}

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(tracked)]
struct Life(u32);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Place(u32);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Asleep;
#[derive(Component, Clone, Serialize, Deserialize)]
struct Note(String);
#[derive(Resource, Clone, Default, Serialize, Deserialize)]
struct Score(u32);
#[derive(Event, Clone, Serialize, Deserialize)]
struct Cry(u32);

world! {
    #[derive(Clone, Reflect)]
    struct Meadow {
        components { Counted, Life, Place, Asleep, Note }
        resources { Score = Score::default() }
        events { Cry(external) }
    }
    schedule tick { age; hear }
}

#[system(Meadow)]
fn age(mut lives: Query<Mut<Life>, With<Asleep>>) {
    for mut life in &mut lives {
        life.0 += 1;
    }
}

#[system(Meadow)]
fn hear(mut cries: EventReader<Cry>, mut score: ResMut<Score>) {
    score.0 += cries.iter().map(|cry| cry.0).sum::<u32>();
}

fn bind(limits: Limits) -> (Remote, SocketAddr) {
    let remote = Remote::bind(Options::new().port(0).limits(limits)).expect("the loopback has a free port");
    let address = remote.address().expect("it is bound");
    (remote, address)
}

/// Limits with which each call of `serve` does everything, however busy the machine is.
fn patient() -> Limits {
    let mut limits = Limits::default();
    limits.budget = Duration::from_secs(20);
    limits
}

/// Serves until a number of clients watch.
fn serve_until(remote: &Remote, meadow: &mut Meadow, watchers: usize) {
    let begin = Instant::now();
    while remote.serve(meadow).watchers != watchers {
        assert!(begin.elapsed() < Duration::from_secs(20), "{watchers} clients watch");
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn rows_that_come_change_and_go_are_messages() {
    let (remote, address) = bind(patient());
    let mut meadow = Meadow::default();
    let [wolf, bear] = [3, 9].map(|life| meadow.spawn((Life(life), Place(1))));
    let asked = json!({ "text": "Life, ?Place, without Asleep, Life < 10" });
    let mut stream = Stream::open(address, &json!("w"), "world.query+watch", &asked);
    serve_until(&remote, &mut meadow, 1);
    let first = stream.next().expect("a message");
    let row =
        |entity, life, place| json!({ "entity": id(entity), "components": { "Life": life, "Place": place } });
    assert_eq!(first["id"], "w");
    assert_eq!(
        first["result"],
        json!({ "added": [row(wolf, 3, json!(1)), row(bear, 9, json!(1))], "changed": [], "removed": [] })
    );
    meadow.get_tracked::<Life>(wolf).expect("it lives").0 = 4;
    meadow.get_mut::<Place>(bear).expect("it lives").0 = 2;
    let hare = meadow.spawn(Life(1));
    remote.serve(&mut meadow);
    let hare_row = json!({ "entity": id(hare), "components": { "Life": 1 } });
    assert_eq!(
        stream.next().expect("a message")["result"],
        json!({ "added": [hare_row], "changed": [row(wolf, 4, json!(1)), row(bear, 9, json!(2))], "removed": [] })
    );
    // a call without changes has no message; a component that is gone is a change; rows go by a
    // comparison, by a component and with their entity, also if its slot is used again
    remote.serve(&mut meadow);
    meadow.remove::<Place>(bear).expect("it lives");
    meadow.insert(wolf, Life(12)).expect("it lives");
    meadow.despawn(hare).expect("it lives");
    let fox = meadow.spawn(Life(2));
    assert_eq!(fox.slot(), hare.slot());
    remote.serve(&mut meadow);
    let message = stream.next().expect("a message");
    assert_eq!(message["result"]["removed"], json!([id(wolf), id(hare)]));
    assert_eq!(message["result"]["added"][0]["entity"], id(fox));
    assert_eq!(message["result"]["changed"], json!([{ "entity": id(bear), "components": { "Life": 9 } }]));
    meadow.insert(bear, Asleep).expect("it lives");
    remote.serve(&mut meadow);
    assert_eq!(stream.next().expect("a message")["result"]["removed"], json!([id(bear)]));
}

#[test]
fn resources_and_events_are_messages() {
    let (remote, address) = bind(patient());
    let mut meadow = Meadow::default();
    meadow.send(Cry(1)); // before the watch
    let mut cries =
        Stream::open(address, &json!(1), "world.observe+watch", &json!({ "event": "meadow::Cry" }));
    let mut score =
        Stream::open(address, &json!(2), "world.get_resources+watch", &json!({ "resource": "Score" }));
    serve_until(&remote, &mut meadow, 2);
    assert_eq!(score.next().expect("a message")["result"], json!({ "value": 0 }));
    meadow.send(Cry(2));
    meadow.send(Cry(3));
    remote.serve(&mut meadow);
    assert_eq!(cries.next().expect("a message"), json!({ "jsonrpc": "2.0", "id": 1, "result": [2, 3] }));
    meadow.tick();
    remote.serve(&mut meadow);
    assert_eq!(score.next().expect("a message")["result"], json!({ "value": 6 }));
    // the queue drops events that all systems have read, and the client is told of it
    meadow.send(Cry(4));
    meadow.tick();
    meadow.send(Cry(5));
    remote.serve(&mut meadow);
    let message = cries.next().expect("a message");
    assert_eq!((&message["result"], &message["missed"]), (&json!([5]), &json!(1)));
    // after a restore, the queue begins again with smaller numbers
    meadow.tick();
    let past = meadow.snapshot();
    for number in 6..9 {
        meadow.send(Cry(number));
        remote.serve(&mut meadow);
        assert_eq!(cries.next().expect("a message")["result"], json!([number]));
        meadow.tick();
    }
    meadow.restore(&past);
    meadow.send(Cry(10));
    remote.serve(&mut meadow);
    assert_eq!(cries.next().expect("a message"), json!({ "jsonrpc": "2.0", "id": 1, "result": [10] }));
    meadow = Meadow::default();
    meadow.send(Cry(11));
    remote.serve(&mut meadow);
    assert_eq!(cries.next().expect("a message")["result"], json!([11]));
    for (method, params, part) in [
        ("world.observe+watch", json!({ "event": "Cri" }), "did you mean `Cry`?"),
        ("world.observe+watch", json!({ "event": "Cry", "entity": 3 }), "events have no entity"),
        ("world.observe+watch", json!({}), "`event` is missing"),
        ("world.get_resources+watch", json!({ "resource": "Clock" }), "has no resource `Clock`"),
        ("world.query+watch", json!({ "text": "Life <" }), "a constant is a number"),
        ("world.query+watch", json!([]), "`params` is an object"),
    ] {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        let client = thread::spawn(move || request(address, "POST", "/", "", &body).2);
        while !client.is_finished() {
            remote.serve(&mut meadow);
            thread::sleep(Duration::from_millis(1));
        }
        let answer = client.join().expect("an answer");
        assert!(answer.contains(part), "{method} {params}: {answer}");
    }
}

#[test]
fn clients_that_watch_the_same_cost_one_look() {
    let (remote, address) = bind(patient());
    let mut meadow = Meadow::default();
    let entity = meadow.spawn(Counted(1));
    let asked = json!({ "text": "Counted" });
    let mut streams: Vec<Stream> =
        (0..12).map(|at| Stream::open(address, &json!(at), "world.query+watch", &asked)).collect();
    serve_until(&remote, &mut meadow, 12);
    let before = READS.load(Ordering::Relaxed);
    for turn in 2..12 {
        meadow.insert(entity, Counted(turn)).expect("it lives");
        remote.serve(&mut meadow);
        for (at, stream) in streams.iter_mut().enumerate() {
            let mut message = stream.next().expect("a message");
            if turn == 2 {
                message = stream.next().expect("the second message");
            }
            assert_eq!(
                (&message["id"], &message["result"]["changed"][0]["components"]["Counted"]),
                (&json!(at), &json!(turn))
            );
        }
    }
    assert_eq!(READS.load(Ordering::Relaxed) - before, 10, "one for each call");
    // one that comes later gets the whole state, and the others nothing
    let mut late = Stream::open(address, &json!("late"), "world.query+watch", &asked);
    serve_until(&remote, &mut meadow, 13);
    assert_eq!(late.next().expect("a message")["result"]["added"][0]["components"]["Counted"], 11);
    drop(streams);
    serve_until(&remote, &mut meadow, 1);
    drop(late);
    serve_until(&remote, &mut meadow, 0);
}

#[test]
fn a_slow_client_gets_the_whole_state_and_is_told_what_it_has_missed() {
    let (remote, address) = bind(patient());
    let mut meadow = Meadow::default();
    let entities: Vec<Entity> = (0..20).map(|_| meadow.spawn(Note(String::new()))).collect();
    let mut stream = Stream::open(address, &json!(1), "world.query+watch", &json!({ "text": "Note" }));
    serve_until(&remote, &mut meadow, 1);
    // it reads nothing, until its messages fill the buffers of the system
    let turns = 80;
    for turn in 1..=turns {
        for entity in &entities {
            meadow.get_mut::<Note>(*entity).expect("it lives").0 = format!("{turn:>20000}");
        }
        assert_eq!(remote.serve(&mut meadow).watchers, 1, "it has time to read");
    }
    let last = meadow.spawn(Note(String::new()));
    let serving = thread::spawn(move || {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(20) && remote.serve(&mut meadow).watchers > 0 {
            thread::sleep(Duration::from_millis(1));
        }
    });
    let (mut table, mut missed, mut messages) = (BTreeMap::new(), 0, 0);
    while !table.contains_key(&id(last)) {
        let message = stream.next().expect("a message");
        messages += 1;
        if let Some(count) = message["missed"].as_u64() {
            missed += count;
            table.clear();
        }
        for row in
            ["added", "changed"].iter().flat_map(|kind| message["result"][kind].as_array().expect("rows"))
        {
            let note = row["components"]["Note"].as_str().expect("a text");
            table.insert(row["entity"].as_u64().expect("an id"), note.trim().parse().unwrap_or(0));
        }
    }
    assert_eq!(table.remove(&id(last)), Some(0));
    assert!(table.len() == 20 && table.values().all(|turn| *turn == turns), "{table:?}");
    assert!(missed > 0 && messages as u64 + missed > turns, "{missed} are missed, {messages} have come");
    drop(stream);
    serving.join().expect("it ends");
}

#[test]
fn tables_that_clients_keep_are_those_of_the_world() {
    let mut limits = Limits::default();
    limits.budget = Duration::from_micros(200);
    for text in [
        "Life",
        "?Life, Place",
        "Life, Place, Life < 500",
        "Life, order by Life desc, limit 20",
        "with Asleep, Life",
    ] {
        let (remote, address) = bind(limits);
        let mut meadow = Meadow::default();
        let mut all: Vec<Entity> = (0..600).map(|life| meadow.spawn((Life(life), Place(0)))).collect();
        let mut stream = Stream::open(address, &json!(1), "world.query+watch", &json!({ "text": text }));
        serve_until(&remote, &mut meadow, 1);
        let client = thread::spawn(move || {
            let mut table = BTreeMap::new();
            while let Some(message) = stream.next() {
                if message.get("error").is_some() {
                    panic!("{message}");
                }
                let result = &message["result"];
                if message.get("missed").is_some() {
                    table.clear();
                }
                for gone in result["removed"].as_array().expect("ids") {
                    let gone = gone.as_u64().expect("an id");
                    assert!(table.remove(&gone).is_some(), "{gone} has not come");
                }
                for kind in ["added", "changed"] {
                    for row in result[kind].as_array().expect("rows") {
                        let entity = row["entity"].as_u64().expect("an id");
                        let before = table.insert(entity, row.clone());
                        assert_eq!(before.is_some(), kind == "changed", "{row}");
                    }
                }
            }
            table
        });
        let mut snapshot = None;
        let mut random = 7_usize;
        for turn in 0..150 {
            for _ in 0..3 {
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let at = (random >> 33) % all.len();
                let entity = all[at];
                match random >> 20 & 7 {
                    0 => {
                        let _ = meadow.despawn(entity);
                        all[at] = meadow.spawn((Life(turn), Place(turn)));
                    }
                    1 => drop(meadow.remove::<Life>(entity)),
                    2 => drop(meadow.insert(entity, Life(turn * 7))),
                    3 => drop(meadow.remove::<Place>(entity)),
                    4 => drop(meadow.insert(entity, Asleep)),
                    5 => drop(meadow.remove::<Asleep>(entity)),
                    _ => {
                        if let Some(mut life) = meadow.get_tracked::<Life>(entity) {
                            life.0 = turn;
                        }
                    }
                }
            }
            if turn % 3 == 0 {
                meadow.tick();
            }
            // the world goes back, and on in another way
            match turn {
                60 => snapshot = Some(meadow.snapshot()),
                90 => meadow.restore(snapshot.as_ref().expect("it was taken")),
                _ => {}
            }
            if !(60..90).contains(&turn) {
                remote.serve(&mut meadow);
            }
            if turn == 90 {
                all.retain(|entity| meadow.contains(*entity));
            }
        }
        // two looks at least, as each call reads at least one row
        for _ in 0..2_500 {
            remote.serve(&mut meadow);
        }
        let rows = {
            let body =
                json!({ "jsonrpc": "2.0", "id": 1, "method": "world.query", "params": { "text": text } });
            let request = ecs_remote::Request::new(ecs_remote::Method::Post, "/", body.to_string());
            let answer = ecs_remote::Dispatcher::new(&Options::new()).answer(&mut meadow, &request);
            serde_json::from_str::<Value>(&answer.body).expect("answers are JSON")
        };
        let rows = rows["result"].as_array().expect("rows").iter();
        let expected: BTreeMap<u64, Value> =
            rows.map(|row| (row["entity"].as_u64().expect("an id"), row.clone())).collect();
        // the end of the server is that of the stream
        thread::sleep(Duration::from_millis(50));
        drop(remote);
        let table = client.join().expect("the messages fit");
        assert!(
            !expected.is_empty() && table == expected,
            "{text}: {} and {} rows",
            table.len(),
            expected.len()
        );
    }
}

#[test]
fn streams_of_hostile_clients_are_bounded() {
    let mut limits = Limits::default();
    (limits.connections, limits.watchers, limits.timeout) = (24, 12, Duration::from_millis(400));
    limits.results = 500;
    let (remote, address) = bind(limits);
    let mut meadow = Meadow::default();
    let entities: Vec<Entity> = (0..400).map(|_| meadow.spawn(Note("n".repeat(3_000)))).collect();
    let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let stopped = std::sync::Arc::clone(&stop);
    let serving = thread::spawn(move || {
        let (mut longest, mut most) = (Duration::ZERO, 0);
        while !stopped.load(Ordering::Relaxed) {
            for (at, entity) in entities.iter().enumerate() {
                meadow.get_mut::<Note>(*entity).expect("it lives").0 = at.to_string().repeat(1_500);
            }
            let served = remote.serve(&mut meadow);
            (longest, most) = (longest.max(served.took), most.max(served.watchers));
            thread::sleep(Duration::from_millis(1));
        }
        // all of them are forgotten
        serve_until(&remote, &mut meadow, 0);
        (longest, most)
    });
    let clients: Vec<_> = (0..6)
        .map(|client| {
            thread::spawn(move || {
                let mut open = Vec::new();
                for turn in 0..20 {
                    // each has a topic of its own
                    let params = match (client + turn) % 4 {
                        0 => json!({ "text": "Note", "limit": 400 - client * 20 - turn }),
                        1 => json!({ "data": { "components": ["Note"], "option": vec!["Place"; 256] } }),
                        2 => json!({ "data": { "components": vec!["Note"; 257] } }),
                        _ => json!({ "text": "order by Note desc", "data": { "option": "all" } }),
                    };
                    let stream = Stream::open(address, &json!(turn), "world.query+watch", &params);
                    match turn % 3 {
                        // it reads nothing, vanishes, or reads a little
                        0 => open.push(stream),
                        1 => drop(stream),
                        _ => {
                            let mut stream = stream;
                            _ = stream.socket.read(&mut [0; 100]);
                        }
                    }
                    // a request that ends in the middle
                    let mut half = TcpStream::connect(address).expect("the server accepts");
                    half.write_all(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{")
                        .expect("it reads");
                }
            })
        })
        .collect();
    clients.into_iter().for_each(|client| client.join().expect("no stream hangs"));
    // a client of good will is served
    let begin = Instant::now();
    let list = r#"{ "jsonrpc": "2.0", "id": 1, "method": "world.list_resources" }"#;
    while request(address, "POST", "/", "", list).0 != 200 {
        assert!(begin.elapsed() < Duration::from_secs(10), "the server has places again");
        thread::sleep(Duration::from_millis(20));
    }
    stop.store(true, Ordering::Relaxed);
    let (longest, most) = serving.join().expect("no call panics");
    assert!(
        longest < Duration::from_secs(1) && most <= 12,
        "a call has taken {longest:?} with {most} clients"
    );
}
