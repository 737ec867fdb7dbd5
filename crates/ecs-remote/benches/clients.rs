//! The time that clients take from a program: 1,000 of them ask again and again, while a world of
//! 10,000 entities ticks 60 times a second. It prints the table of the guide's chapter on remote
//! access: `cargo bench -p checked-ecs-remote`.
//!
//! The clients are tasks of one thread of this process, so that they, the server's thread and the
//! world share the processor.

#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs_remote::{Limits, Options, Remote};
use serde::{Deserialize, Serialize};
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::time::{sleep, timeout};

const ENTITIES: u32 = 10_000;
const CLIENTS: usize = 1_000;
const TICK: Duration = Duration::from_micros(16_667);
const MEASURED: Duration = Duration::from_secs(4);

#[derive(Component, Clone, Serialize, Deserialize)]
struct Position(f32, f32);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(tracked)]
struct Health {
    now: u32,
    max: u32,
}

world! {
    #[derive(Reflect)]
    struct Game {
        components { Position, Health }
        resources { Remote }
    }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 0.5;
}

/// The text of a client's request.
fn request(address: SocketAddr, method: &str, params: &str, client: usize) -> String {
    let body = format!(r#"{{"jsonrpc":"2.0","id":{client},"method":"{method}","params":{params}}}"#);
    let length = body.len();
    format!("POST / HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\n\r\n{body}")
}

/// Sends a text, and reads until the answer has as many bytes as its head says.
async fn ask(stream: &mut TcpStream, text: &[u8], buffer: &mut Vec<u8>) -> std::io::Result<()> {
    let mut sent = 0;
    while sent < text.len() {
        stream.writable().await?;
        match stream.try_write(&text[sent..]) {
            Ok(count) => sent += count,
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
    buffer.clear();
    let mut end = usize::MAX;
    while buffer.len() < end {
        stream.readable().await?;
        let mut part = [0; 16 << 10];
        match stream.try_read(&mut part) {
            Ok(0) => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => buffer.extend_from_slice(&part[..count]),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
        if end == usize::MAX
            && let Some(head) = buffer.windows(4).position(|part| part == b"\r\n\r\n")
        {
            let text = String::from_utf8_lossy(&buffer[..head]);
            let length = text.lines().find_map(|line| line.strip_prefix("content-length: "));
            end = head + 4 + length.and_then(|length| length.parse().ok()).unwrap_or(0);
            assert!(text.starts_with("HTTP/1.1 200"), "{text}");
        }
    }
    Ok(())
}

/// The answers, and the sum of the times for which clients have waited for them.
#[derive(Default)]
struct Count {
    answers: AtomicU64,
    micros: AtomicU64,
    errors: AtomicU64,
}

/// Asks again as soon as there is an answer, on one connection as long as the server keeps it.
async fn client(address: SocketAddr, text: String, count: Arc<Count>, stop: Arc<AtomicBool>) {
    let (mut stream, mut buffer) = (None, Vec::new());
    while !stop.load(Ordering::Relaxed) {
        let begin = Instant::now();
        let mut connected = match stream.take() {
            Some(stream) => stream,
            None => match TcpStream::connect(address).await {
                Ok(stream) => stream,
                Err(_) => {
                    sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
        };
        let waited = timeout(Duration::from_secs(30), ask(&mut connected, text.as_bytes(), &mut buffer));
        if let Ok(Ok(())) = waited.await {
            count.answers.fetch_add(1, Ordering::Relaxed);
            count.micros.fetch_add(begin.elapsed().as_micros() as u64, Ordering::Relaxed);
            if !String::from_utf8_lossy(&buffer).contains("connection: close") {
                stream = Some(connected);
            }
        } else {
            count.errors.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// Reads the messages of a watch.
async fn watcher(address: SocketAddr, text: String, count: Arc<Count>) -> std::io::Result<()> {
    let stream = TcpStream::connect(address).await?;
    let mut buffer = Vec::new();
    stream.writable().await?;
    stream.try_write(text.as_bytes())?;
    loop {
        stream.readable().await?;
        buffer.resize(64 << 10, 0);
        match stream.try_read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(read) => {
                let messages = buffer[..read].windows(6).filter(|part| part == b"data: ").count();
                count.answers.fetch_add(messages as u64, Ordering::Relaxed);
            }
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(error) => return Err(error),
        }
    }
}

/// Ticks for a time, with clients that watch, while the lives of some entities change in each tick;
/// prints a row.
fn measure_watch(name: &str, clients: usize, method: &str, params: &str, changed: usize) {
    let mut limits = Limits::default();
    (limits.connections, limits.watchers, limits.rate) = (CLIENTS + 24, CLIENTS, u32::MAX);
    let remote = Remote::bind(Options::new().port(0).limits(limits)).expect("the loopback has a port");
    let address = remote.address().expect("it is bound");
    let mut game = Game::new(Remote::default());
    let lives = (0..ENTITIES).map(|now| (Position(0.0, 1.0), Health { now, max: ENTITIES }));
    let all: Vec<Entity> = game.spawn_batch(lives).collect();
    let count = Arc::new(Count::default());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let texts: Vec<String> = (0..clients).map(|client| request(address, method, params, client)).collect();
    let counted = Arc::clone(&count);
    let thread = thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            for text in texts {
                tokio::spawn(watcher(address, text, Arc::clone(&counted)));
            }
            let _ = stopped.await;
        });
    });
    // until all have the first state, which may be long
    while remote.serve(&mut game).watchers < clients || count.answers.load(Ordering::Relaxed) < clients as u64
    {
        thread::sleep(Duration::from_millis(1));
    }
    let (begin, mut times) = (Instant::now(), Vec::new());
    let (before, busy) = (count.answers.load(Ordering::Relaxed), processor());
    while begin.elapsed() < MEASURED {
        let tick = Instant::now();
        game.tick();
        for entity in all.iter().take(changed) {
            game.get_tracked::<Health>(*entity).expect("it lives").now += 1;
        }
        times.push(remote.serve(&mut game).took);
        thread::sleep(TICK.saturating_sub(tick.elapsed()));
    }
    let (busy, seconds) = (processor().saturating_sub(busy), begin.elapsed().as_secs_f64());
    let messages = count.answers.load(Ordering::Relaxed) - before;
    let _ = stop.send(());
    thread.join().expect("the clients end");
    times.sort_unstable();
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "| {name} | {:.2} | {:.2} | {:.2} | {:.0} |",
        millis(busy / times.len() as u32),
        millis(times.iter().sum::<Duration>() / times.len() as u32),
        millis(times[times.len() * 99 / 100]),
        messages as f64 / seconds,
    );
}

/// The processor time of this thread so far, on Linux. It is exact over many ticks.
fn processor() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    Duration::from_nanos(text.split(' ').next().and_then(|nanos| nanos.parse().ok()).unwrap_or(0))
}

/// Ticks for a time, with clients who ask what `params` returns for each of them; prints a row.
fn measure(name: &str, clients: usize, method: &str, params: &dyn Fn(usize) -> String) {
    let mut limits = Limits::default();
    (limits.connections, limits.rate) = (CLIENTS + 24, u32::MAX);
    let remote = Remote::bind(Options::new().port(0).limits(limits)).expect("the loopback has a port");
    let address = remote.address().expect("it is bound");
    let mut game = Game::new(Remote::default());
    game.spawn_batch((0..ENTITIES).map(|now| (Position(0.0, 1.0), Health { now, max: ENTITIES }))).count();
    let (count, stop) = (Arc::new(Count::default()), Arc::new(AtomicBool::new(false)));
    let texts: Vec<String> =
        (0..clients).map(|client| request(address, method, &params(client), client)).collect();
    let (counted, stopped) = (Arc::clone(&count), Arc::clone(&stop));
    let thread = thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let tasks: Vec<_> = texts
                .into_iter()
                .map(|text| tokio::spawn(client(address, text, Arc::clone(&counted), Arc::clone(&stopped))))
                .collect();
            while !stopped.load(Ordering::Relaxed) {
                sleep(Duration::from_millis(20)).await;
            }
            tasks.iter().for_each(tokio::task::JoinHandle::abort);
        });
    });
    // the first second is that of connecting
    let (begin, mut times, mut answered) = (Instant::now(), Vec::new(), 0);
    let (mut before, mut start, mut busy) = ((0, 0), begin, Duration::ZERO);
    while begin.elapsed() < MEASURED + Duration::from_secs(1) {
        let tick = Instant::now();
        game.tick();
        let served = remote.serve(&mut game);
        if begin.elapsed() > Duration::from_secs(1) {
            if times.is_empty() {
                before = (count.answers.load(Ordering::Relaxed), count.micros.load(Ordering::Relaxed));
                (start, busy) = (Instant::now(), processor());
            }
            times.push(served.took);
            answered += served.answered;
        }
        thread::sleep(TICK.saturating_sub(tick.elapsed()));
    }
    let (seconds, busy) = (start.elapsed().as_secs_f64(), processor().saturating_sub(busy));
    let answers = count.answers.load(Ordering::Relaxed) - before.0;
    let waited = (count.micros.load(Ordering::Relaxed) - before.1) as f64 / 1e3 / answers.max(1) as f64;
    stop.store(true, Ordering::Relaxed);
    thread.join().expect("the clients end");
    times.sort_unstable();
    let mean = times.iter().sum::<Duration>() / times.len() as u32;
    let millis = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "| {name} | {:.2} | {:.2} | {:.2} | {:.2} | {:.0} | {:.0} | {waited:.0} | {} |",
        millis(busy / times.len() as u32),
        millis(mean),
        millis(times[times.len() * 99 / 100]),
        millis(times[times.len() - 1]),
        answered as f64 / times.len() as f64,
        answers as f64 / seconds,
        count.errors.load(Ordering::Relaxed),
    );
}

fn main() {
    println!(
        "| 1,000 clients ask for | ms of processor in a tick | mean ms of a call | 99 % | longest | answers of a call | answers a second | ms of waiting | errors |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let entity = |slot: usize| format!(r#"{{"entity":"{slot}v1","components":["Health"]}}"#);
    measure("nothing", 0, "world.get_components", &|_| entity(0));
    measure("the same entity", CLIENTS, "world.get_components", &|_| entity(7));
    measure("an entity each", CLIENTS, "world.get_components", &entity);
    let query = |text: &str| format!(r#"{{"text":"{text}"}}"#);
    measure("the same 100 rows", CLIENTS, "world.query", &|_| query("Health, limit 100"));
    measure("the same 10,000 rows, sorted", CLIENTS, "world.query", &|_| {
        query("Health, order by Health.now desc, limit 100")
    });
    measure("100 rows each", CLIENTS, "world.query", &|client| {
        query(&format!("Health, Health.now >= {}, limit 100", client * 9))
    });

    println!();
    println!(
        "| clients that watch | ms of processor in a tick | mean ms of a call | 99 % | messages a second |"
    );
    println!("|---|---|---|---|---|");
    let query = |text: &str| format!(r#"{{"text":"{text}"}}"#);
    measure_watch("1,000, an entity that changes", 1_000, "world.get_components+watch", &entity(7), 100);
    let (method, lives) = ("world.query+watch", query("Health"));
    measure_watch("1,000, 10,000 tracked rows of which none changes", 1_000, method, &lives, 0);
    measure_watch("1,000, 10,000 tracked rows of which 10 change", 1_000, method, &lives, 10);
    measure_watch("10, 10,000 tracked rows of which 1,000 change", 10, method, &lives, 1_000);
    measure_watch("1, 10,000 rows that all change", 1, method, &query("Position"), 0);
}
