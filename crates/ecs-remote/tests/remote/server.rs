//! The server on the loopback.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs_remote::{Limits, Options, Remote, Writes};

use crate::client::request;
use crate::game::{Game, game};

/// A game that ticks on a thread until it is dropped.
pub struct Running {
    pub address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<(Game, Duration)>>,
}

impl Running {
    pub fn start(options: Options) -> Self {
        let remote = Remote::bind(options.port(0)).expect("the loopback has a free port");
        let address = remote.address().expect("it is bound");
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            let (mut game, _) = game(remote);
            let mut longest = Duration::ZERO;
            while !stopped.load(Ordering::Relaxed) {
                let begin = Instant::now();
                game.tick();
                longest = longest.max(begin.elapsed());
                thread::sleep(Duration::from_millis(1));
            }
            (game, longest)
        });
        Self { address, stop, thread: Some(thread) }
    }

    /// The game at its end, and the time of its longest tick.
    pub fn end(mut self) -> (Game, Duration) {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.take().expect("it runs").join().expect("no tick has panicked")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

const LIST: &str = r#"{ "jsonrpc": "2.0", "id": 1, "method": "world.list_resources" }"#;
const SPAWN: &str =
    r#"{ "jsonrpc": "2.0", "id": 1, "method": "world.spawn_entity", "params": { "components": {} } }"#;

#[test]
fn a_request_is_answered_between_two_ticks() {
    let running = Running::start(Options::new());
    let (status, head, body) = request(running.address, "POST", "/", "", LIST);
    assert_eq!((status, &*body), (200, r#"{"jsonrpc":"2.0","id":1,"result":["Clock"]}"#), "{head}");
    assert_eq!(running.end().0.entities().len(), 3);
}

#[test]
fn changes_need_the_token() {
    let running = Running::start(Options::new().writes(Writes::Token("secret".into())));
    for (header, may) in
        [("", false), ("Authorization: Bearer wrong\r\n", false), ("Authorization: Bearer secret\r\n", true)]
    {
        let (status, _, body) = request(running.address, "POST", "/", header, SPAWN);
        assert_eq!((status, body.contains("\"result\"")), (200, may), "{body}");
    }
    assert_eq!(running.end().0.entities().len(), 4);
}

#[test]
fn pages_of_other_sites_and_other_hosts_are_refused() {
    let running = Running::start(Options::new().writes(Writes::Anybody).origin("https://www.flecs.dev"));
    let status = |headers: &str| request(running.address, "POST", "/", headers, LIST).0;
    assert_eq!(status("Origin: https://example.org\r\n"), 403);
    assert_eq!(status("Origin: null\r\n"), 403);
    assert_eq!(status("Origin: http://localhost:8000\r\n"), 200);
    let (status, head, _) = request(running.address, "POST", "/", "Origin: https://www.flecs.dev\r\n", LIST);
    assert!(status == 200 && head.contains("access-control-allow-origin: https://www.flecs.dev"), "{head}");
    let text = b"GET / HTTP/1.1\r\nHost: example.org\r\n\r\n";
    assert!(crate::client::send(running.address, text).expect("an answer").starts_with("HTTP/1.1 403"));
}

#[test]
fn a_program_that_does_not_serve_has_status_504() {
    let mut limits = Limits::default();
    limits.timeout = Duration::from_millis(200);
    let remote = Remote::bind(Options::new().port(0).limits(limits)).expect("the loopback has a free port");
    let (status, ..) = request(remote.address().expect("it is bound"), "POST", "/", "", LIST);
    assert_eq!(status, 504);
}

#[test]
fn a_recording_of_the_requests_replays_the_run() {
    let options = || Options::new().writes(Writes::Anybody);
    let remote = Remote::bind(options().port(0)).expect("the loopback has a free port");
    remote.record(true);
    let (address, recorder) = (remote.address().expect("it is bound"), remote.clone());
    let client = thread::spawn(move || {
        for at in 0..20 {
            let body = SPAWN.replace("{}", &format!(r#"{{ "Health": {{ "now": {at}, "max": 9 }} }}"#));
            assert_eq!(request(address, "POST", "/", "", &body).0, 200);
            let event = r#"{ "jsonrpc": "2.0", "id": 1, "method": "world.write_message", "params": { "message": "Hit", "value": 1 } }"#;
            assert_eq!(request(address, "POST", "/", "", event).0, 200);
        }
    });
    let (mut game, _) = game(remote);
    let mut ticks = 0;
    while !client.is_finished() {
        game.tick();
        ticks += 1;
        thread::sleep(Duration::from_micros(200));
    }
    client.join().expect("all requests were answered");
    let recording = recorder.recording().expect("it was recorded");
    assert_eq!((recording.len(), recording.is_full()), (40, false));
    let saved = serde_json::to_string(&recording).expect("a recording can be saved");

    let recording = serde_json::from_str(&saved).expect("and loaded");
    let (mut again, _) = crate::game::game(Remote::replay(recording, &options()));
    let empty = again.hash();
    (0..ticks).for_each(|_| again.tick());
    assert_eq!(again.hash(), game.hash());
    assert_ne!(again.hash(), empty);
}

#[test]
fn malformed_http_has_an_answer_or_an_end() {
    let running = Running::start(Options::new());
    for (text, status) in [
        (&b"\r\n\r\n\r\n"[..], ""),
        (b"GET\r\n\r\n", "400"),
        (b"GET / HTTP/9.9\r\n\r\n", "400"),
        (b"\x00\xff\x16\x03\x01\r\n\r\n", "400"),
        (b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n", "400"),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "400"),
        (b"BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n", "405"),
        (b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n\xff\xfe", "400"),
    ] {
        let mut stream = std::net::TcpStream::connect(running.address).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(15))).expect("can be set");
        use std::io::{Read, Write};
        stream.write_all(text).expect("the server reads");
        stream.shutdown(std::net::Shutdown::Write).expect("it is open");
        let mut answer = Vec::new();
        // a reset is an end, too
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer);
        assert!(
            answer.is_empty() || answer.contains(status),
            "{:?}: {answer}",
            String::from_utf8_lossy(text)
        );
    }
    let heads = format!("GET / HTTP/1.1\r\nHost: localhost\r\nX: {}\r\n\r\n", "x".repeat(20_000));
    let answer = crate::client::send(running.address, heads.as_bytes());
    assert!(
        answer.is_err() || answer.is_ok_and(|answer| answer.is_empty() || answer.starts_with("HTTP/1.1 431"))
    );
    let (status, ..) = request(running.address, "POST", "/", "", &"x".repeat(100_000));
    assert_eq!(status, 413);
    assert_eq!(request(running.address, "POST", "/", "", LIST).0, 200, "the server goes on");
}

#[test]
fn slow_clients_and_a_thousand_connections_do_not_delay_the_ticks() {
    use std::io::{Read, Write};
    let mut limits = Limits::default();
    (limits.connections, limits.timeout, limits.budget) =
        (64, Duration::from_millis(100), Duration::from_millis(2));
    let running = Running::start(Options::new().limits(limits));
    let begin = Instant::now();
    // not all at once: a process may have a limit of 1,024 open files
    for _ in 0..4 {
        // each of the first ones sends half a head and waits
        let mut slow: Vec<std::net::TcpStream> = Vec::new();
        for _ in 0..250 {
            let mut stream = std::net::TcpStream::connect(running.address).expect("the server accepts");
            stream.set_read_timeout(Some(Duration::from_secs(15))).expect("can be set");
            let _ = stream.write_all(b"POST / HTTP/1.1\r\nHost: local");
            slow.push(stream);
        }
        // a client that comes meanwhile waits for a place
        assert_eq!(request(running.address, "POST", "/", "", LIST).0, 200);
        for mut stream in slow {
            let _ = stream.read_to_end(&mut Vec::new());
        }
    }
    assert!(begin.elapsed() < Duration::from_secs(40), "slow clients are cut off after the timeout");
    assert_eq!(request(running.address, "POST", "/", "", LIST).0, 200, "the server has places again");
    let (_, longest) = running.end();
    assert!(longest < Duration::from_secs(2), "a tick has taken {longest:?}");
}

#[test]
fn a_call_answers_until_its_budget_is_spent() {
    let mut limits = Limits::default();
    limits.per_call = 3;
    limits.budget = Duration::from_secs(5);
    let remote = Remote::bind(Options::new().port(0).limits(limits)).expect("the loopback has a free port");
    let address = remote.address().expect("it is bound");
    let path = |at| format!("/entity/{at}v1");
    let clients: Vec<JoinHandle<u16>> =
        (0..16).map(|at| thread::spawn(move || request(address, "GET", &path(at), "", "").0)).collect();
    let begin = Instant::now();
    while !format!("{remote:?}").contains("waiting: 16") && begin.elapsed() < Duration::from_secs(5) {
        thread::sleep(Duration::from_millis(5));
    }
    let (mut game, _) = game(Remote::default());
    let served = remote.serve(&mut game);
    assert_eq!((served.answered, served.left), (3, 13));
    while remote.serve(&mut game).left > 0 {}
    assert!(clients.into_iter().all(|client| client.join().is_ok()));
}

#[test]
fn a_second_has_a_number_of_requests() {
    let mut limits = Limits::default();
    limits.rate = 8;
    let running = Running::start(Options::new().limits(limits));
    let begin = Instant::now();
    assert!((0..12).all(|_| request(running.address, "POST", "/", "", LIST).0 == 200));
    assert!(begin.elapsed() >= Duration::from_millis(900), "the others have waited");
}
