//! Bytes, delay and the server's time over networks that lose and delay datagrams, for the table
//! of the guide's chapter on replication: `cargo bench -p checked-ecs-replication --bench networks`.
//! With `-- 5 100 2000` behind it, it measures a loss of 5 %, a delay of 100 ms and 2,000 clients; a
//! fourth number is a budget.
//!
//! 2,000 entities move in each of 30 ticks a second, and each client sees all of them: two
//! coordinates of 16 bits and a health. Links are in memory, with a clock of ticks: each datagram
//! is lost by a seed, and arrives after the delay and up to one tick more.

#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]

use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs::save::{Replica, Selection};
use ecs_replication::{Client, ClientId, Limits, Quantity, Server, Wire, quantize};
use oorandom::Rand32;
use serde::{Deserialize, Serialize};

const ENTITIES: u32 = 2_000;
/// The length of a datagram in bytes.
const DATAGRAM: usize = 1_200;
/// The ticks before those that are measured, in which the clients receive the whole state.
const BEGINNING: u64 = 60;
const TICKS: u64 = 120;
/// Milliseconds of a tick.
const TICK: u32 = 33;

#[derive(Component, Clone, Serialize, Deserialize)]
struct Body {
    place: [f32; 2],
    speed: [f32; 2],
    health: u8,
}
#[derive(Component, Clone, Copy, Serialize, Deserialize)]
struct Shown {
    place: [f32; 2],
    health: u8,
}
quantize! {
    Shown {
        place: Quantity::bits(16, -200.0, 200.0),
        health: Quantity::whole(0, 100),
    }
}

world! {
    #[derive(Clone)]
    struct Sky { components { Body, Shown } }
    schedule tick { movement }
}

#[system(Sky)]
fn movement(body: &mut Body, shown: &mut Shown) {
    for (place, speed) in body.place.iter_mut().zip(&mut body.speed) {
        *place += *speed;
        if place.abs() > 190.0 {
            *speed = -*speed;
        }
    }
    *shown = Shown { place: body.place, health: body.health };
}

/// A network: what it does to datagrams, and who is at the other end.
#[derive(Clone, Copy)]
struct Network {
    /// In percent.
    loss: u32,
    /// One way, in milliseconds.
    delay: u32,
    clients: u64,
    /// The most bytes that a client is sent in a tick.
    budget: Option<usize>,
}

/// One direction between the server and a client.
struct Link {
    random: Rand32,
    /// Datagrams and the ticks in which they arrive.
    under_way: Vec<(u64, Vec<u8>)>,
}

impl Link {
    fn send(&mut self, now: u64, network: &Network, datagram: Vec<u8>) {
        if self.random.rand_range(0..100) >= network.loss {
            let ticks = network.delay.div_ceil(TICK) + self.random.rand_range(0..2);
            self.under_way.push((now + u64::from(ticks), datagram));
        }
    }

    fn receive(&mut self, now: u64) -> Vec<Vec<u8>> {
        self.under_way.extract_if(.., |(arrives, _)| *arrives <= now).map(|(_, datagram)| datagram).collect()
    }
}

/// A client, its world, and the links to it and from it.
struct Side {
    client: Client<Sky, u8>,
    view: Sky,
    down: Link,
    up: Link,
}

/// The figures of a network.
struct Figures {
    bytes: f64,
    /// Ticks that clients are behind the server: the median, and the most.
    behind: (u64, u64),
    /// Of the server in a tick for each client: the median.
    time: Duration,
}

fn measure(network: &Network) -> Figures {
    let mut random = Rand32::new(7);
    let mut game = Sky::new();
    for _ in 0..ENTITIES {
        let mut pair = |scale: f32| [(); 2].map(|()| (random.rand_float() - 0.5) * scale);
        let body = Body { place: pair(380.0), speed: pair(4.0), health: 100 };
        let shown = Shown { place: body.place, health: body.health };
        game.spawn((body, shown));
    }
    let mut server = Server::<Sky, u8>::new(1, Limits::default());
    let side = |id| {
        server.connect(ClientId(id));
        server.set_budget(ClientId(id), network.budget);
        let link = |way| Link { random: Rand32::new(id * 2 + way), under_way: Vec::new() };
        let client = Client::new::<Wire<Shown>>(Replica::new(), 1 << 20);
        Side { client, view: Sky::new(), down: link(0), up: link(1) }
    };
    let mut sides: Vec<Side> = (0..network.clients).map(side).collect();

    let (mut bytes, mut behind, mut times) = (0, Vec::new(), Vec::new());
    for now in 1..=BEGINNING + TICKS {
        game.tick();
        // the server: what has arrived, and the next datagrams
        let arrived: Vec<Vec<Vec<u8>>> = sides.iter_mut().map(|side| side.up.receive(now)).collect();
        let start = Instant::now();
        for (id, messages) in (0..).zip(&arrived) {
            for message in messages {
                server.receive(ClientId(id), message).expect("the client is connected");
            }
        }
        let view = |_: &Sky, _| Selection::of::<Wire<Shown>>();
        let datagrams = server.datagrams(&mut game, now, DATAGRAM, view).expect("all can be serialized");
        times.push(start.elapsed());
        // the clients: what has arrived, and their answers
        for (ClientId(to), datagram) in datagrams {
            if now > BEGINNING {
                bytes += datagram.len();
            }
            sides[to as usize].down.send(now, network, datagram);
        }
        for Side { client, view, down, up } in &mut sides {
            for datagram in down.receive(now) {
                client.receive(view, &datagram).expect("nothing is damaged");
            }
            up.send(now, network, client.message().expect("inputs can be serialized"));
            if now > BEGINNING {
                behind.push(now - client.frame());
            }
        }
    }
    behind.sort_unstable();
    times.drain(..BEGINNING as usize);
    times.sort_unstable();
    Figures {
        bytes: bytes as f64 / (TICKS * network.clients) as f64,
        behind: (behind[behind.len() / 2], behind[behind.len() - 1]),
        time: times[times.len() / 2] / network.clients as u32,
    }
}

/// The networks of the table: 64 clients with each loss and delay, and other numbers of clients and
/// a budget with one of them.
fn table() -> Vec<Network> {
    let network = |delay, loss| Network { loss, delay, clients: 64, budget: None };
    let mut all: Vec<_> =
        [0, 100, 200].into_iter().flat_map(|delay| [0, 5, 20].map(|loss| network(delay, loss))).collect();
    all.extend([16, 256].map(|clients| Network { clients, ..network(100, 5) }));
    all.extend([0, 5, 20].map(|loss| Network { budget: Some(DATAGRAM), ..network(100, loss) }));
    all
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    arguments.retain(|argument| argument != "--bench");
    let numbers: Vec<u64> = arguments.iter().filter_map(|argument| argument.parse().ok()).collect();
    let networks = match numbers[..] {
        [loss, delay, clients, ref budget @ ..] => {
            let budget = budget.first().map(|&bytes| bytes as usize);
            vec![Network { loss: loss as u32, delay: delay as u32, clients, budget }]
        }
        _ if arguments.is_empty() => table(),
        // `cargo test --all-targets` runs this program as well
        _ => return,
    };
    println!("| lost | delay | clients | budget | bytes | ticks behind, most | server, a client |");
    println!("|---:|---:|---:|---:|---:|---:|---:|");
    for network in networks {
        let Figures { bytes, behind: (median, most), time } = measure(&network);
        let Network { loss, delay, clients, budget } = network;
        let budget = budget.map_or("none".to_owned(), |bytes| bytes.to_string());
        println!(
            "| {loss} % | {delay} ms | {clients} | {budget} | {bytes:.0} | {median}, {most} | {:.1} us |",
            time.as_secs_f64() * 1e6
        );
    }
}
