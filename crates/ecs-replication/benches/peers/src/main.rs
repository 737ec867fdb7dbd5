//! `cargo run --release` in this folder: the same moving entities for the same clients by this
//! library, naia, bevy_replicon over renet, and lightyear, as a table in Markdown.
//! `-- --clients 64 --entities 2000` are the numbers; other arguments are parts of the names of
//! rows to run.
//!
//! All entities move in each of the 30 ticks of a second, one in 50 changes its health as well, and
//! each client sees all of them. Datagrams of at most about 1,200 bytes are lost and delayed by a
//! seed, on a link in memory. Each client begins on a good link and has all entities before the
//! link gets bad; 40 ticks later, 100 are measured.
//!
//! - Bytes are those of the datagrams that the server sends, without the headers of UDP and IP.
//! - The age of an entity at a client is the number of ticks since it was at the place that the
//!   client has. A client is behind by the mean of its entities.
//! - The time is that of the processor in the server's process for a tick and client: it moves the
//!   entities, reads the clients' datagrams, and makes the next ones.

#![allow(elided_lifetimes_in_paths, missing_docs, reason = "a program")]

mod lightyear;
mod link;
mod naia;
mod ours;
mod replicon;
mod scene;

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

use link::{Link, Road};
use scene::{Mover, Scene};

/// The length of a tick.
pub(crate) const TICK: Duration = Duration::from_nanos(1_000_000_000 / 30);

/// The longest part of a datagram, where a library lets the program choose it.
pub(crate) const DATAGRAM: usize = 1200;

/// A datagram, and the number of its client.
pub(crate) type Datagram = (usize, Vec<u8>);

/// A server and its clients by one library.
pub(crate) trait Peer {
    /// Moves the entities to where they are in a tick, reads datagrams, and makes the next ones.
    fn serve(&mut self, tick: u64, movers: &[Mover], received: Vec<Datagram>) -> Vec<Datagram>;

    /// Reads the datagrams of a client in a tick, and makes the next ones.
    fn answer(&mut self, client: usize, received: Vec<Vec<u8>>) -> Vec<Vec<u8>>;

    /// Calls `each` with the numbers of the entities that a client has, and their places.
    fn seen(&mut self, client: usize, each: &mut dyn FnMut(usize, [f32; 2]));
}

/// The numbers of a run.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) clients: usize,
    pub(crate) entities: usize,
}

/// The figures of a run.
#[derive(Default)]
struct Figures {
    /// Ticks until each client had each entity.
    join: u64,
    bytes: u64,
    datagrams: u64,
    /// Those of the clients.
    answers: u64,
    /// Of the processor.
    time: Duration,
    /// The sum and the number of the ages of entities.
    ages: (u64, u64),
    /// The delay of a client in ticks.
    most_behind: f64,
    oldest: u64,
}

/// The time of the processor that this process has used.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The ticks after the last client has all, and those that are measured then.
const PAUSE: u64 = 40;
const MEASURED: u64 = 100;

/// The most ticks in which the clients get all.
const LONGEST_JOIN: u64 = 600;

/// A run of a peer on a road.
fn measure(peer: &mut dyn Peer, Size { clients, entities }: Size, road: Road) -> Result<Figures, String> {
    let mut scene = Scene::new(entities);
    let mut links: Vec<[Link; 2]> =
        (0..clients as u64).map(|client| [Link::new(2 * client), Link::new(2 * client + 1)]).collect();
    let mut figures = Figures::default();
    let (mut tick, mut end) = (0, None);
    while end.is_none_or(|end| tick < end) {
        tick += 1;
        let is_measured = end.is_some_and(|end| tick + MEASURED > end);
        scene.advance();
        // the server
        let received: Vec<Datagram> = (0..clients)
            .flat_map(|client| links[client][1].receive(tick).into_iter().map(move |bytes| (client, bytes)))
            .collect();
        let begin = now();
        let sent = peer.serve(tick, scene.movers(), received);
        let time = now() - begin;
        if is_measured {
            figures.time += time;
            figures.bytes += sent.iter().map(|(_, bytes)| bytes.len() as u64).sum::<u64>();
            figures.datagrams += sent.len() as u64;
        }
        for (client, bytes) in sent {
            links[client][0].send(tick, bytes);
        }
        // the clients
        for (client, [down, up]) in links.iter_mut().enumerate() {
            for bytes in peer.answer(client, down.receive(tick)) {
                figures.answers += if is_measured { bytes.len() as u64 } else { 0 };
                up.send(tick, bytes);
            }
        }
        // what they have
        if end.is_none() {
            let has_all = |client| {
                let mut number = 0;
                peer.seen(client, &mut |_, _| number += 1);
                number == entities
            };
            if (0..clients).all(has_all) {
                (figures.join, end) = (tick, Some(tick + PAUSE + MEASURED));
                links.iter_mut().flatten().for_each(|link| link.road = road);
            } else if tick == LONGEST_JOIN {
                return Err(format!("not all clients have all entities after {tick} ticks"));
            }
        } else if is_measured && tick % 5 == 0 {
            for client in 0..clients {
                note_ages(peer, client, &scene, &mut figures)?;
            }
        }
    }
    Ok(figures)
}

/// Notes the ages of what a client has.
fn note_ages(peer: &mut dyn Peer, client: usize, scene: &Scene, figures: &mut Figures) -> Result<(), String> {
    let (mut sum, mut number, mut lost) = (0, 0, None);
    peer.seen(client, &mut |entity, place| match scene.age(entity, place) {
        Some(age) => {
            (sum, number) = (sum + age, number + 1);
            figures.oldest = figures.oldest.max(age);
        }
        None => lost = Some((entity, place)),
    });
    if let Some((entity, place)) = lost {
        return Err(format!("client {client} has entity {entity} at {place:?}, where it never was"));
    }
    if number as usize != scene.movers().len() {
        return Err(format!("client {client} has {number} entities"));
    }
    figures.ages.0 += sum;
    figures.ages.1 += number;
    figures.most_behind = figures.most_behind.max(sum as f64 / number as f64);
    Ok(())
}

/// A row of the table.
struct Row {
    name: &'static str,
    /// The most clients, where a run with more would take hours.
    most_clients: usize,
    make: fn(Size) -> Box<dyn Peer>,
}

/// The bytes of a client in a second that naia has without other settings.
pub(crate) const BUDGET: u32 = 64_000;

const fn row(name: &'static str, make: fn(Size) -> Box<dyn Peer>) -> Row {
    let most_clients = usize::MAX;
    Row { name, most_clients, make }
}

const fn naia(name: &'static str, make: fn(Size) -> Box<dyn Peer>) -> Row {
    Row { name, most_clients: 4, make }
}

const ROWS: [Row; 10] = [
    row("checked-ecs", |size| Box::new(ours::Ours::<ours::Plain>::new(size, None))),
    row("checked-ecs, quantized", |size| Box::new(ours::Ours::<ours::Quantized>::new(size, None))),
    row("checked-ecs, quantized, a budget", |size| {
        Box::new(ours::Ours::<ours::Quantized>::new(size, Some(BUDGET)))
    }),
    naia("naia, 4 clients", |size| Box::new(naia::Naia::<naia::Plain>::new(size, None))),
    naia("naia, 4 clients, quantized", |size| Box::new(naia::Naia::<naia::Quantized>::new(size, None))),
    naia("naia, 4 clients, quantized, a budget", |size| {
        Box::new(naia::Naia::<naia::Quantized>::new(size, Some(BUDGET)))
    }),
    row("bevy_replicon", |size| Box::new(replicon::Replicon::new(size, false))),
    row("bevy_replicon, quantized", |size| Box::new(replicon::Replicon::new(size, true))),
    row("lightyear", |size| Box::new(lightyear::Lightyear::new(size, false))),
    row("lightyear, quantized", |size| Box::new(lightyear::Lightyear::new(size, true))),
];

/// The conditions of the links.
const ROADS: [(&str, Road); 4] = [
    ("no loss, no delay", Road { loss: 0, delay: [0, 0] }),
    ("no loss, 100 ms each way", Road { loss: 0, delay: [3, 3] }),
    ("20 % lost, 100 ms each way", Road { loss: 20, delay: [3, 3] }),
    ("20 % lost, 200 ms each way", Road { loss: 20, delay: [6, 6] }),
];

fn main() -> Result<(), String> {
    let (mut size, mut names) = (Size { clients: 64, entities: 2000 }, Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || {
            let number = arguments.next().and_then(|number| number.parse().ok()).filter(|&number| number > 0);
            number.ok_or(format!("{argument} wants a number"))
        };
        match argument.as_str() {
            "--clients" => size.clients = number()?,
            "--entities" => size.entities = number()?,
            name => names.push(name.to_owned()),
        }
    }
    println!("{} clients, {} entities", size.clients, size.entities);
    println!(
        "| link | library | bytes | datagrams | bytes of answers | ticks behind: mean | client | entity | µs |"
    );
    println!("|---|---|{}", "---:|".repeat(7));
    for (link, road) in ROADS {
        for Row { name, most_clients, make } in ROWS {
            let size = Size { clients: size.clients.min(most_clients), ..size };
            let row = format!("{link} | {name}");
            if !names.is_empty() && !names.iter().any(|wanted| row.contains(wanted)) {
                continue;
            }
            let figures = match measure(&mut *make(size), size, road) {
                Ok(figures) => figures,
                Err(error) => {
                    println!("| {row} | {error} |");
                    continue;
                }
            };
            let each = |sum: f64| sum / (MEASURED as f64 * size.clients as f64);
            println!(
                "| {row} | {:.0} | {:.1} | {:.0} | {:.1} | {:.1} | {} | {:.1} |",
                each(figures.bytes as f64),
                each(figures.datagrams as f64),
                each(figures.answers as f64),
                figures.ages.0 as f64 / figures.ages.1 as f64,
                figures.most_behind,
                figures.oldest,
                each(figures.time.as_secs_f64() * 1e6),
            );
            eprintln!("{row}: all clients had all after {} ticks", figures.join);
        }
    }
    Ok(())
}
