//! Drawing between received frames over bad links: by the measured jitter.

use std::time::Duration;

use ecs::prelude::*;
use ecs::save::{Replica, Selection};
use ecs_replication::{Client, ClientId, Interpolate, Interpolation, JitterBuffer, Limits, Server};
use serde::{Deserialize, Serialize};

use crate::link::Link;

/// The frame of the server, so that the drawn value is the drawn frame.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Hand(f64);
impl Interpolate for Hand {
    fn interpolate(&self, next: &Self, part: f32) -> Self {
        Self(self.0 + (next.0 - self.0) * f64::from(part))
    }
}
world! { #[derive(Clone)] struct Clock { components { Hand } } }

/// The length of a frame, and the number of pictures in one.
const FRAME: Duration = Duration::from_nanos(1_000_000_000 / 30);
const PICTURES: u32 = 3;

/// The server, a client, and the links between them.
struct Play {
    game: Clock,
    server: Server<Clock, ()>,
    copy: Clock,
    client: Client<Clock, ()>,
    links: [Link; 2],
    shown: Interpolation<Hand>,
    buffer: JitterBuffer,
    /// The frame of the server.
    frame: u64,
    /// The ticks of the client.
    ticks: u32,
    drawn: f64,
}

/// Some seconds of it.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Seen {
    /// The part of the pictures in which drawing stood because the next frame was not there.
    stood: f64,
    /// The mean number of frames by which the drawn one is older than the server's.
    behind: f64,
    /// The same, the most.
    most: f64,
    delay: f64,
}

impl Play {
    fn new(seed: u64, loss: u32, delay: u32, buffer: JitterBuffer) -> Self {
        let mut game = Clock::new();
        game.spawn(Hand(0.0));
        let mut server = Server::new(1, Limits::default());
        server.connect(ClientId(1));
        Self {
            game,
            server,
            copy: Clock::new(),
            client: Client::new::<Hand>(Replica::new(), 1 << 16),
            links: [Link::new(seed, loss, delay), Link::new(!seed, loss, delay)],
            shown: Interpolation::new().frames(40),
            buffer,
            frame: 0,
            ticks: 0,
            drawn: f64::NEG_INFINITY,
        }
    }

    fn set_link(&mut self, seed: u64, loss: u32, delay: u32) {
        self.links = [Link::new(seed, loss, delay), Link::new(!seed, loss, delay)];
    }

    /// A tick of the server, unless it is paused, and the pictures until the next one.
    fn tick(&mut self, is_paused: bool, mut picture: impl FnMut(&Self, f64)) {
        let ann = ClientId(1);
        if !is_paused {
            self.frame += 1;
            let frame = self.frame;
            self.game.query_mut::<&mut Hand>().into_iter().for_each(|hand| hand.0 = frame as f64);
            for (_, message) in
                self.server.messages(&mut self.game, frame, |_, _| Selection::of::<Hand>()).unwrap()
            {
                self.links[0].send(&message);
            }
        }
        for message in self.links[0].receive() {
            if self.client.receive(&mut self.copy, &message).unwrap() {
                self.buffer.arrived(self.client.frame(), FRAME * self.ticks);
                self.shown.record(&self.copy, self.client.frame());
            }
        }
        self.links[1].send(&self.client.message().unwrap());
        for answer in self.links[1].receive() {
            self.server.receive(ann, &answer).unwrap();
        }
        for part in 0..PICTURES {
            let now = FRAME * self.ticks + FRAME * part / PICTURES;
            let Some(frame) = self.buffer.frame(now) else { continue };
            assert!(frame >= self.drawn && frame <= self.client.frame() as f64);
            let hand = self.copy.query::<Entity>().into_iter().next().unwrap();
            let value = self.shown.at(hand, frame).unwrap().0;
            // the value is that of the server at this frame; at first, there is no earlier frame
            assert!((value - frame).abs() < 1e-4 || self.ticks < 60, "{value} for {frame}");
            self.drawn = frame;
            picture(self, f64::from(part) / f64::from(PICTURES));
        }
        self.ticks += 1;
    }

    fn see(&mut self, ticks: u32) -> Seen {
        let (mut pictures, mut stood, mut behind, mut most) = (0.0, 0.0, 0.0, 0.0_f64);
        for _ in 0..ticks {
            self.tick(false, |play, part| {
                pictures += 1.0;
                stood += f64::from(u8::from(play.drawn >= play.client.frame() as f64));
                let old = play.frame as f64 + part - play.drawn;
                (behind, most) = (behind + old, most.max(old));
            });
        }
        let delay = self.buffer.delay().as_secs_f64();
        Seen { stood: stood / pictures, behind: behind / pictures, most, delay }
    }
}

fn buffer() -> JitterBuffer {
    JitterBuffer::new(FRAME)
}

/// The loss in percent and the longest delay in ticks of some links.
const LINKS: [(u32, u32); 5] = [(0, 0), (0, 3), (20, 0), (20, 6), (5, 12)];

#[test]
fn the_next_frame_is_there_in_most_pictures() {
    for (loss, delay) in LINKS {
        let see = |buffer| {
            let mut play = Play::new(1, loss, delay, buffer);
            play.see(300);
            play.see(600)
        };
        let (seen, without) = (see(buffer()), see(buffer().deviations(0.0)));
        // without jitter, the lost frames alone are waited for
        assert!(seen.stood < if delay == 0 { 0.03 } else { 0.01 }, "{loss} {delay}: {seen:?}");
        assert!(seen.behind < f64::from(delay) + 3.0, "{loss} {delay}: {seen:?}");
        assert!(delay == 0 || without.stood > 0.02_f64.max(4.0 * seen.stood), "{seen:?}, {without:?}");
        // the same calls, the same frames
        assert!(delay != 6 || seen == see(buffer()));
    }
}

#[test]
fn the_delay_grows_with_the_jitter_and_shrinks_again() {
    let mut play = Play::new(5, 0, 0, buffer());
    let good = play.see(300);
    assert_eq!(good.stood, 0.0);
    play.set_link(6, 20, 8);
    play.see(150);
    let bad = play.see(600);
    assert!(bad.stood < 0.01 && bad.delay > good.delay + 0.1, "{bad:?}");
    play.set_link(7, 0, 0);
    // slowly: a frame of a second at most
    let soon = play.see(30);
    assert!(soon.stood == 0.0 && soon.behind > bad.behind - 1.5, "{soon:?} after {bad:?}");
    play.see(450);
    let again = play.see(30);
    assert!(again.stood == 0.0 && again.behind < good.behind + 0.5, "{again:?} after {good:?}");
}

#[test]
fn drawing_goes_on_after_a_pause_of_the_server() {
    let mut play = Play::new(8, 0, 2, buffer());
    let before = play.see(300);
    let mut frames = Vec::new();
    (0..120).for_each(|_| play.tick(true, |play, _| frames.push(play.drawn)));
    assert_eq!(frames.last(), Some(&(play.client.frame() as f64)), "it stands at the newest frame");
    play.see(30);
    let after = play.see(150);
    assert!(after.stood < 0.02 && after.behind < before.behind + 1.0, "{before:?}, {after:?}");
}

#[test]
fn a_server_that_is_started_anew_is_measured_anew() {
    let mut buffer = buffer();
    for frame in 1..=100 {
        buffer.arrived(900 + frame, FRAME * frame as u32);
    }
    assert!(buffer.frame(FRAME * 100).is_some_and(|frame| (998.0..1_000.0).contains(&frame)));
    for frame in 1..=100 {
        buffer.arrived(frame, FRAME * (100 + frame as u32));
    }
    assert!(buffer.frame(FRAME * 200).is_some_and(|frame| (98.0..100.0).contains(&frame)));
    // a frame that is noted twice changes nothing, and bounds are kept
    let delay = buffer.delay();
    buffer.arrived(100, FRAME * 230);
    assert_eq!(buffer.delay(), delay);
    let second = Duration::from_secs(1);
    assert_eq!(buffer.clone().bounds(second, Duration::ZERO).delay(), second);
    assert_eq!(buffer.deviations(f32::INFINITY).delay(), second / 2);
}
