//! Equal requests that share an answer, and connections with several requests.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use ecs_remote::{Limits, Options, Remote, Writes};
use serde_json::{Value, json};

use crate::client::request;
use crate::game::game;
use crate::server::Running;

/// Sends a request from a thread, and waits until it is in the queue with those before it.
fn ask(remote: &Remote, count: usize, body: Value) -> thread::JoinHandle<Value> {
    let address = remote.address().expect("it is bound");
    let client = thread::spawn(move || {
        let (status, _, answer) = request(address, "POST", "/", "", &body.to_string());
        assert_eq!(status, 200, "{answer}");
        serde_json::from_str(&answer).expect("answers are JSON")
    });
    let begin = Instant::now();
    while !format!("{remote:?}").contains(&format!("waiting: {count}")) {
        assert!(begin.elapsed() < Duration::from_secs(10), "{remote:?}");
        thread::sleep(Duration::from_millis(1));
    }
    client
}

fn get(id: Value) -> Value {
    let params = json!({ "entity": "4v1", "components": ["Health.now"], "strict": true });
    json!({ "jsonrpc": "2.0", "id": id, "method": "world.get_components", "params": params })
}

#[test]
fn equal_requests_share_an_answer_up_to_the_next_change() {
    let mut limits = Limits::default();
    (limits.per_call, limits.budget) = (1, Duration::from_secs(20));
    let options = Options::new().port(0).limits(limits).writes(Writes::Anybody);
    let remote = Remote::bind(options).expect("the loopback has a free port");
    let (mut game, _) = game(Remote::default());
    let params = json!({ "entity": "4v1", "component": "Health", "path": ".now", "value": 6 });
    let change = json!({ "jsonrpc": "2.0", "id": 5, "method": "world.mutate_components", "params": params });
    let clients =
        [get(json!(1)), get(json!("two")), get(json!(null)), change, get(json!(4)), get(json!(5.5))];
    let clients: Vec<_> =
        clients.into_iter().enumerate().map(|(at, body)| ask(&remote, at + 1, body)).collect();
    let answered: Vec<usize> = (0..3).map(|_| remote.serve(&mut game).answered).collect();
    assert_eq!(answered, [3, 1, 2]);
    let answers: Vec<Value> = clients.into_iter().map(|client| client.join().expect("an answer")).collect();
    let read = |id: Value, now: u32| json!({ "jsonrpc": "2.0", "id": id, "result": { "Health.now": now } });
    assert_eq!(answers[..3], [read(json!(1), 3), read(json!("two"), 3), read(json!(null), 3)]);
    assert_eq!(answers[4..], [read(json!(4), 6), read(json!(5.5), 6)]);
}

/// Sends a request, and reads an answer with a length.
fn exchange(stream: &mut TcpStream, address: SocketAddr, body: &str) -> Option<String> {
    let head = format!("POST / HTTP/1.1\r\nHost: {address}\r\nContent-Length: {}\r\n\r\n", body.len());
    stream.write_all(format!("{head}{body}").as_bytes()).ok()?;
    let mut answer = Vec::new();
    loop {
        let mut bytes = [0; 4_096];
        let count = stream.read(&mut bytes).ok()?;
        answer.extend_from_slice(&bytes[..count]);
        let text = String::from_utf8_lossy(&answer);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            if count == 0 {
                return None;
            }
            continue;
        };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        if body.len() == length.and_then(|length| length.parse::<usize>().ok()).expect("a length") {
            return Some(text.into_owned());
        }
        assert!(count > 0, "an answer has the length that its head says: {text}");
    }
}

fn connect(address: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(address).expect("the server accepts");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("can be set");
    stream
}

#[test]
fn a_connection_carries_requests_until_others_wait_for_its_place() {
    let mut limits = Limits::default();
    limits.connections = 2;
    let running = Running::start(Options::new().limits(limits));
    let (mut first, body) = (connect(running.address), get(json!(1)).to_string());
    for _ in 0..20 {
        let answer = exchange(&mut first, running.address, &body).expect("an answer");
        assert!(answer.contains("\"Health.now\":3") && !answer.contains("connection: close"), "{answer}");
    }
    // idle connections take no place that another one needs
    let idle = connect(running.address);
    let begin = Instant::now();
    for _ in 0..4 {
        assert!(exchange(&mut connect(running.address), running.address, &body).is_some());
    }
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    drop((first, idle));
    // a mistake ends a connection
    let mut wrong = connect(running.address);
    let head =
        format!("POST / HTTP/1.1\r\nHost: {}\r\nOrigin: null\r\nContent-Length: 0\r\n\r\n", running.address);
    wrong.write_all(head.as_bytes()).expect("the server reads");
    let mut answer = String::new();
    wrong.read_to_string(&mut answer).expect("the server closes it");
    assert!(answer.contains("connection: close"), "{answer}");
}
