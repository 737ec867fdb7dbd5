//! The example `inspect` as a process: it serves requests, and ends by itself.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

fn start(arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_inspect"));
    command.args(["--port", "0"]).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.spawn().expect("the example starts")
}

/// Waits for the end of the process; returns whether it succeeded.
fn ends(mut child: Child) -> bool {
    let begin = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return status.success();
        }
        if begin.elapsed() > Duration::from_secs(60) {
            child.kill().expect("it can be ended");
            return false;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// The body of the answer to a request.
fn send(address: &str, method: &str, target: &str, body: &str) -> String {
    let length = body.len();
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("can be set");
    let head = format!("{method} {target} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n");
    let text = format!("{head}Content-Length: {length}\r\n\r\n{body}");
    stream.write_all(text.as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    assert!(answer.starts_with("HTTP/1.1 200"), "{target} {body}: {answer}");
    // the head has the time of day
    let (_, body) = answer.split_once("\r\n\r\n").expect("a head ends with an empty line");
    body.to_owned()
}

#[test]
fn inspect_answers_requests_until_its_input_ends() {
    let mut child = start(&["--open"]);
    let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut line = String::new();
    output.read_line(&mut line).expect("it writes");
    let address = line.trim().strip_prefix("serving 1000 entities on http://");
    let address = address.unwrap_or_else(|| panic!("{line}")).to_owned();
    let call = |method: &str, params: &str| {
        let body = format!(r#"{{ "jsonrpc": "2.0", "id": 1, "method": "{method}", "params": {params} }}"#);
        send(&address, "POST", "/", &body)
    };
    let components = call("world.list_components", "{}");
    assert!(components.contains("\"Mood\"") && !components.contains("Secret"), "{components}");
    assert!(call("world.query", r#"{ "text": "Health, Health.now = 7, limit 2" }"#).contains("\"now\":7"));
    assert!(call("world.spawn_entity", r#"{ "components": { "Name": "visitor" } }"#).contains("\"entity\":"));
    assert!(send(&address, "GET", "/entity/visitor", "").contains("visitor"));
    assert!(send(&address, "GET", "/query?expr=(flecs.core.ChildOf,%230)", "").contains("herd 9"));
    assert!(send(&address, "GET", "/stats/world?period=1s", "").contains("\"entities.count\""));
    let pipeline = || send(&address, "GET", "/stats/pipeline", "");
    // the first times are those of the tick after the next one, which a busy machine has not run
    // yet
    let begin = Instant::now();
    while !pipeline().contains("\"time_spent\":{\"avg\":[") && begin.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(20));
    }
    let pipeline = pipeline();
    assert!(pipeline.contains("\"roam\"") && pipeline.contains("\"time_spent\":{\"avg\":["), "{pipeline}");
    let frame = |keys: &str| {
        let events: Vec<String> = keys
            .chars()
            .map(|key| {
                format!(r#"{{"Key":{{"code":{{"Char":"{key}"}},"modifiers":"","kind":"Press","state":""}}}}"#)
            })
            .collect();
        let events = events.join(",");
        call("inspect.frame", &format!(r#"{{"session":"a","width":120,"height":30,"events":[{events}]}}"#))
    };
    assert!(frame("").contains("herd 0"), "the inspector shows the names of entities");
    assert!(frame(" ").contains("paused"), "a key pauses the world");
    let clock = || call("world.get_resources", r#"{ "resource": "Clock" }"#);
    // the tick that answers the key still ends
    thread::sleep(Duration::from_millis(100));
    let at_pause = clock();
    thread::sleep(Duration::from_millis(100));
    assert_eq!(clock(), at_pause, "a paused world answers and does not tick");
    // back by three runs, by a key and by requests
    assert!(frame("[").contains("paused"));
    assert!(call("history.go_to", r#"{ "run": 1, "step": 1 }"#).contains("\"steps\":[\"count\""));
    assert!(clock().contains("\"tick\":2,"), "{}", clock());
    let changes = call("history.changes", r#"{ "path": "Clock.tick", "limit": 1 }"#);
    assert!(changes.contains("\"cause\":\"count\""), "{changes}");
    assert!(!frame("q").contains("\"error\""), "a closed session pauses nothing");
    thread::sleep(Duration::from_millis(100));
    assert!(!clock().contains("\"tick\":2,"), "the program goes on from there");
    drop(child.stdin.take());
    let mut rest = String::new();
    output.read_to_string(&mut rest).expect("it ends");
    assert!(rest.contains(" ticks, 10"), "{rest}");
    assert!(ends(child));
}

#[test]
fn inspect_ends_after_its_ticks() {
    let mut child = start(&["--ticks", "3"]);
    let mut output = child.stdout.take().expect("it is piped");
    let mut text = String::new();
    // the input stays open
    let input = child.stdin.take();
    output.read_to_string(&mut text).expect("it ends");
    assert!(text.ends_with("3 ticks, 1000 entities\n"), "{text}");
    assert!(ends(child));
    drop(input);
}
