//! Components in few bits: what is sent, compared and refused.

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use ecs::prelude::*;
use ecs::save::{Replica, Selection};
use ecs_replication::{
    Client, ClientId, Limits, MessageError, Quantity, Server, VersionDifference, Wire, WireForm, quantize,
};
use oorandom::Rand32;
use serde::{Deserialize, Serialize};

use crate::link::Link;

const ANN: ClientId = ClientId(1);

#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Body {
    place: [f32; 2],
    facing: f32,
    health: u8,
    is_hurt: bool,
}
const PLACE: Quantity = Quantity::bits(16, -200.0, 200.0);
quantize! {
    Body {
        place: PLACE,
        facing: Quantity::bits(8, 0.0, TAU),
        health: Quantity::whole(0, 100),
        is_hurt: Quantity::whole(0, 1),
    }
}

/// A tuple, of another body.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Near(f32, Entity);
impl WireForm for Near {
    type Form = (Distance, Entity);
    fn to_form(&self) -> Self::Form {
        (Distance((self.0 * 4.0) as u8), self.1)
    }
    fn from_form((Distance(quarters), entity): Self::Form) -> Result<Self, &'static str> {
        Ok(Self(f32::from(quarters) / 4.0, entity))
    }
}
/// In quarters.
#[derive(Serialize, Deserialize)]
struct Distance(u8);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Sky { components { Body, Near } }
}

type Sent = (Wire<Body>, Wire<Near>);

fn body(random: &mut Rand32) -> Body {
    let mut place = || random.rand_float() * 420.0 - 210.0;
    Body { place: [place(), place()], facing: 1.0, health: random.rand_range(0..101) as u8, is_hurt: false }
}

/// The values of the server as the client has them, by the server's ids.
type State = BTreeMap<Entity, (Body, Option<(f32, Entity)>)>;

fn sent(game: &Sky) -> State {
    let bodies = game.query::<(Entity, &Body, Option<&Near>)>().into_query();
    let near = |near: Option<&Near>| {
        // an id of an entity that is not there has no equal
        let near = near.filter(|near| game.contains(near.1))?;
        Some(((near.0 * 4.0).floor() / 4.0, near.1))
    };
    let nearest = |body: &Body| Body::from_form(body.to_form()).unwrap();
    bodies.iter().map(|(id, body, other)| (id, (nearest(body), near(other)))).collect()
}

fn received(copy: &Sky, replica: &Replica) -> State {
    let theirs: BTreeMap<Entity, Entity> = replica.iter().map(|(theirs, own)| (own, theirs)).collect();
    let one = |(&own, &theirs_id): (&Entity, &Entity)| {
        let near = copy.get::<Near>(own).and_then(|near| Some((near.0, *theirs.get(&near.1)?)));
        (theirs_id, (*copy.get::<Body>(own).unwrap(), near))
    };
    theirs.iter().map(one).collect()
}

fn change(game: &mut Sky, random: &mut Rand32) {
    let ids: Vec<Entity> = game.entities().iter().collect();
    let any = |random: &mut Rand32| ids[random.rand_range(0..ids.len() as u32) as usize];
    match random.rand_range(0..8) {
        _ if ids.len() < 20 => _ = game.spawn(body(random)),
        0 => _ = game.despawn(any(random)),
        1 => {
            let (one, other) = (any(random), any(random));
            _ = game.insert(one, Near(random.rand_float() * 60.0, other));
        }
        2 => _ = game.remove::<Near>(any(random)),
        _ => {
            let body = game.get_mut::<Body>(any(random)).unwrap();
            body.place[0] += random.rand_float() - 0.5;
            body.facing = (body.facing + 0.003) % TAU as f32;
        }
    }
}

fn play(seed: u64, loss: u32, delay: u32, budget: Option<usize>) {
    const TICKS: u64 = 300;
    let mut random = Rand32::new(seed);
    let (mut game, mut copy) = (Sky::new(), Sky::new());
    let mut server = Server::<Sky, ()>::new(1, Limits::default());
    server.connect(ANN);
    server.set_budget(ANN, budget);
    let mut ann = Client::<Sky, ()>::new::<Sent>(Replica::new(), 1 << 20);
    let (mut down, mut up) = (Link::new(seed ^ 1, loss, delay), Link::new(seed ^ 2, loss, delay));
    let mut states = BTreeMap::new();
    for frame in 1..=TICKS + 100 {
        if frame <= TICKS {
            (0..6).for_each(|_| change(&mut game, &mut random));
        }
        states.insert(frame, sent(&game));
        for (_, message) in server.messages(&mut game, frame, |_, _| Selection::of::<Sent>()).unwrap() {
            down.send(&message);
        }
        for message in down.receive() {
            // the hashes are equal, or this is an error
            if ann.receive(&mut copy, &message).unwrap() && budget.is_none() {
                assert_eq!(received(&copy, ann.replica()), states[&ann.frame()]);
            }
        }
        up.send(&ann.message().unwrap());
        up.receive().iter().for_each(|answer| _ = server.receive(ANN, answer).unwrap());
    }
    assert!(ann.frame() > TICKS);
    assert_eq!(received(&copy, ann.replica()), sent(&game));
}

#[test]
fn a_client_has_the_nearest_values_on_any_link() {
    for seed in 0..4 {
        play(seed, 0, 0, None);
        play(seed, 20, 6, None);
        play(seed, 20, 6, Some(200));
    }
}

/// A server with `count` bodies and a client that has them.
fn connected(count: u32) -> (Sky, Server<Sky, ()>) {
    let (mut random, mut game, mut copy) = (Rand32::new(7), Sky::new(), Sky::new());
    (0..count).for_each(|_| _ = game.spawn(body(&mut random)));
    let mut server = Server::<Sky, ()>::new(1, Limits::default());
    server.connect(ANN);
    let mut ann = Client::<Sky, ()>::new::<Sent>(Replica::new(), 1 << 20);
    let message = server.messages(&mut game, 1, |_, _| Selection::of::<Sent>()).unwrap().remove(0).1;
    assert!(ann.receive(&mut copy, &message).unwrap());
    server.receive(ANN, &ann.message().unwrap()).unwrap();
    (game, server)
}

fn next(server: &mut Server<Sky, ()>, game: &mut Sky, frame: u64) -> usize {
    server.messages(game, frame, |_, _| Selection::of::<Sent>()).unwrap()[0].1.len()
}

#[test]
fn what_is_equal_in_few_bits_is_not_sent() {
    let (mut game, mut server) = connected(100);
    for body in game.query_mut::<&mut Body>() {
        body.place = [0.0, 10.0 * PLACE.step() as f32];
    }
    let idle = {
        let (mut game, mut server) = connected(100);
        next(&mut server, &mut game, 2)
    };
    assert!(next(&mut server, &mut game, 2) > idle + 400);
    let (mut game, mut server) = connected(100);
    // less than half a step from the number that was sent
    for body in game.query_mut::<&mut Body>() {
        let nearest = Body::from_form(body.to_form()).unwrap().place;
        body.place = nearest.map(|at| at + 0.4 * PLACE.step() as f32);
    }
    assert_eq!(next(&mut server, &mut game, 2), idle);
    game.query_mut::<&mut Body>().into_iter().next().unwrap().health ^= 1;
    assert!(next(&mut server, &mut game, 3) > idle);
}

#[test]
fn a_component_has_the_bytes_of_its_bits() {
    let (mut random, mut game) = (Rand32::new(3), Sky::new());
    (0..1_000).for_each(|_| _ = game.spawn(body(&mut random)));
    let few = Selection::of::<Wire<Body>>().save(&game).unwrap().len();
    let all = Selection::of::<Body>().save(&game).unwrap().len();
    assert_eq!(all - few, 8 * 1_000);
}

/// Files have the values of the world.
#[test]
fn a_save_of_the_world_is_exact() {
    let (game, _) = connected(50);
    let again = Sky::load(&game.to_bytes().unwrap()).unwrap();
    assert_eq!(again.hash(), game.hash());
    assert_ne!(
        sent(&game).values().next().map(|(body, _)| *body),
        game.query::<&Body>().into_iter().next().copied()
    );
}

/// A server that forges what it sends.
mod forged {
    use super::*;

    #[derive(Component, Clone)]
    pub(super) struct Body(pub(super) [u8; 6]);
    impl WireForm for Body {
        type Form = [u8; 6];
        const VERSION: u64 = <super::Body as WireForm>::VERSION;
        fn to_form(&self) -> [u8; 6] {
            self.0
        }
        fn from_form(form: [u8; 6]) -> Result<Self, &'static str> {
            Ok(Self(form))
        }
    }
    world! { #[derive(Clone)] pub(super) struct Sky { components { Body } } }
}

#[test]
fn impossible_bits_change_nothing() {
    let right = Body { place: [1.0, 2.0], facing: 1.0, health: 3, is_hurt: true };
    // a place and a health beyond the range
    for bytes in [[0xff, 0xff, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0x7f]] {
        let (mut game, mut copy) = (forged::Sky::new(), Sky::new());
        let one = game.spawn(forged::Body(right.to_form()));
        let mut server = Server::<forged::Sky, ()>::new(1, Limits::default());
        server.connect(ANN);
        let mut ann = Client::<Sky, ()>::new::<Wire<Body>>(Replica::new(), 1 << 20);
        let view = |_: &forged::Sky, _| Selection::of::<Wire<forged::Body>>();
        let first = server.messages(&mut game, 1, view).unwrap().remove(0).1;
        assert!(ann.receive(&mut copy, &first).unwrap());
        game.get_mut::<forged::Body>(one).unwrap().0 = bytes;
        let second = server.messages(&mut game, 2, view).unwrap().remove(0).1;
        let error = ann.receive(&mut copy, &second).unwrap_err();
        let text = error.to_string();
        assert!(matches!(error, MessageError::Delta(_)), "{text}");
        assert!(text.contains("Body") && text.contains("out of its range"), "{text}");
        let own = ann.replica().get(one).unwrap();
        assert_eq!(copy.get::<Body>(own), Some(&Body::from_form(right.to_form()).unwrap()));
        assert_eq!(ann.frame(), 1);
    }
}

/// A client with another range.
mod other {
    use super::*;

    #[derive(Component, Clone)]
    pub(super) struct Body {
        place: [f32; 2],
        facing: f32,
        health: u8,
        is_hurt: bool,
    }
    quantize! {
        Body {
            place: Quantity::bits(16, -200.0, 201.0),
            facing: Quantity::bits(8, 0.0, TAU),
            health: Quantity::whole(0, 100),
            is_hurt: Quantity::whole(0, 1),
        }
    }
    world! { pub(super) struct Sky { components { Body } } }
}

#[test]
fn another_range_is_another_version() {
    let mut game = Sky::new();
    let mut server = Server::<Sky, ()>::new(1, Limits::default());
    server.connect(ANN);
    let message = server.messages(&mut game, 1, |_, _| Selection::of::<Wire<Body>>()).unwrap().remove(0).1;
    let layout = VersionDifference::Layout { component: "Body".into() };
    let mut ann = Client::<other::Sky, ()>::new::<Wire<other::Body>>(Replica::new(), 1 << 20);
    let error = ann.receive(&mut other::Sky::new(), &message);
    assert!(matches!(error, Err(MessageError::OtherVersion(difference)) if difference == layout));
    // and the component itself is another one than its wire form
    let mut bob = Client::<Sky, ()>::new::<Body>(Replica::new(), 1 << 20);
    let error = bob.receive(&mut Sky::new(), &message);
    assert!(matches!(error, Err(MessageError::OtherVersion(difference)) if difference == layout));
}
