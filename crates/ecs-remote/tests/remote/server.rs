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
    assert_eq!((status, &*body), (200, r#"{"id":1,"jsonrpc":"2.0","result":["Clock"]}"#), "{head}");
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
