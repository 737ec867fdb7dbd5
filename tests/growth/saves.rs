//! Files, deltas and other messages. All of them may come from a stranger.

use ecs::prelude::*;
use ecs::save::{Baseline, DanglingIds, Replica, Selection, move_entities};
use ecs::{ChildOf, Many};

use super::game::{Cell, Game, Guards, Knows, Owes, Position, Ticket, shuffled};
use super::measure::Growth::Linear;
use super::measure::{Row, cost, rows};
use super::verbs::rich;

pub(crate) const ROWS: &[&[Row]] = &[FILES, MESSAGES];

type Sent = (Position, Ticket, ChildOf, Guards, Many<Owes>, Many<Knows>);

/// The `i`-th of the numbers whose hashes were all equal in all processes, when indexes had no
/// secret.
fn colliding(i: u64) -> u64 {
    let inverse = |odd: u64| (0..6).fold(odd, |x, _| x.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(x))));
    let mut hash = 7 << 32 | i;
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(inverse(0xc4ce_b9fe_1a85_ec53));
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(inverse(0xff51_afd7_ed55_8ccd));
    hash ^= hash >> 33;
    hash.wrapping_mul(inverse(0x9e37_79b9_7f4a_7c15))
}

/// A world with a star of each kind of relation, in which the sources are listed in no order.
fn stars(n: usize) -> (Game, Vec<Entity>) {
    let (mut game, all) = Game::of(n);
    let hub = game.spawn(all.iter().map(|&one| Owes(one)).collect::<Many<Owes>>());
    for &one in &shuffled(&all) {
        game.relate(one, ChildOf(hub)).unwrap();
        game.relate(one, Guards(hub)).unwrap();
        game.relate(one, Knows(hub)).unwrap();
    }
    (game, all)
}

/// A world with a chain.
fn chain(n: usize) -> Game {
    let mut game = Game::new();
    let mut last = game.spawn(Position(0));
    (1..n).for_each(|_| last = game.spawn(ChildOf(last)));
    game
}

/// A world with keys whose hashes a stranger has chosen.
fn keys(n: usize) -> Game {
    let mut game = Game::new();
    game.spawn_batch((0..n as u64).map(|i| (Ticket(colliding(i)), Cell(colliding(i))))).for_each(drop);
    game
}

fn text(game: &Game) -> String {
    serde_json::to_string(game).unwrap()
}

fn read(text: &str) -> Game {
    serde_json::from_str(text).unwrap()
}

/// A server's world, its selection, and a client that has received it.
fn client(game: &mut Game) -> (Game, Replica, Baseline<Game>) {
    let selection = Selection::of::<Sent>();
    let (mut client, mut replica) = (Game::new(), Replica::new());
    let delta = selection.delta(&Baseline::nothing(), game, 1).unwrap();
    selection.apply(&mut client, &mut replica, &delta).unwrap();
    let known = selection.baseline(game, 1);
    (client, replica, known)
}

const FILES: &[Row] = rows! {
    Linear "save" => |n| {
        let (game, _) = rich(n);
        cost(|| game.to_bytes().unwrap())
    };
    Linear "load" => |n| {
        let bytes = rich(n).0.to_bytes().unwrap();
        cost(|| Game::load(&bytes).unwrap())
    };
    Linear "save: readable" => |n| {
        let (game, _) = rich(n);
        cost(|| text(&game))
    };
    Linear "load: readable" => |n| {
        let text = text(&rich(n).0);
        cost(|| read(&text))
    };
    Linear "hash and diff" => |n| {
        let (game, _) = rich(n);
        cost(|| (game.hash(), ecs::save::diff(&game, &game)))
    };
    Linear "save: stars" => |n| {
        let (game, _) = stars(n);
        cost(|| game.to_bytes().unwrap())
    };
    Linear "load: stars" => |n| {
        let bytes = stars(n).0.to_bytes().unwrap();
        cost(|| Game::load(&bytes).unwrap())
    };
    Linear "load: stars, readable" => |n| {
        let text = text(&stars(n).0);
        cost(|| read(&text))
    };
    Linear "load: a chain" => |n| {
        let bytes = chain(n).to_bytes().unwrap();
        cost(|| Game::load(&bytes).unwrap())
    };
    Linear "load: keys that were chosen to collide" => |n| {
        let bytes = keys(n).to_bytes().unwrap();
        cost(|| Game::load(&bytes).unwrap())
    };
    Linear "merge: components of all kinds" => |n| {
        let bytes = rich(n).0.to_bytes().unwrap();
        let mut game = Game::new();
        cost(|| game.merge(&bytes, DanglingIds::Keep).unwrap())
    };
    Linear "merge: stars" => |n| {
        let bytes = stars(n).0.to_bytes().unwrap();
        let mut game = stars(n).0;
        cost(|| game.merge(&bytes, DanglingIds::Keep).unwrap())
    };
    Linear "merge: a chain" => |n| {
        let bytes = chain(n).to_bytes().unwrap();
        let mut game = Game::new();
        cost(|| game.merge(&bytes, DanglingIds::Keep).unwrap())
    };
};

const MESSAGES: &[Row] = rows! {
    Linear "delta: stars" => |n| {
        let (game, _) = stars(n);
        cost(|| Selection::<Game>::of::<Sent>().delta(&Baseline::nothing(), &game, 1).unwrap())
    };
    Linear "apply: stars" => |n| {
        let (game, _) = stars(n);
        let selection = Selection::<Game>::of::<Sent>();
        let delta = selection.delta(&Baseline::nothing(), &game, 1).unwrap();
        cost(|| selection.apply(&mut Game::new(), &mut Replica::new(), &delta).unwrap())
    };
    Linear "apply: a chain" => |n| {
        let game = chain(n);
        let selection = Selection::<Game>::of::<Sent>();
        let delta = selection.delta(&Baseline::nothing(), &game, 1).unwrap();
        cost(|| selection.apply(&mut Game::new(), &mut Replica::new(), &delta).unwrap())
    };
    Linear "apply: keys that were chosen to collide" => |n| {
        let game = keys(n);
        let selection = Selection::<Game>::of::<(Ticket, Cell)>();
        let delta = selection.delta(&Baseline::nothing(), &game, 1).unwrap();
        cost(|| selection.apply(&mut Game::new(), &mut Replica::new(), &delta).unwrap())
    };
    Linear "apply: every second source of a hub loses its relations" => |n| {
        let (mut game, all) = stars(n);
        let (mut client, mut replica, known) = client(&mut game);
        for &one in all.iter().step_by(2) {
            game.remove::<(ChildOf, Guards, Many<Knows>)>(one).unwrap();
        }
        let selection = Selection::<Game>::of::<Sent>();
        let delta = selection.delta(&known, &game, 2).unwrap();
        cost(|| selection.apply(&mut client, &mut replica, &delta).unwrap())
    };
    Linear "apply: every second source of a hub is despawned" => |n| {
        let (mut game, all) = stars(n);
        let (mut client, mut replica, known) = client(&mut game);
        all.iter().step_by(2).for_each(|&one| game.despawn(one).unwrap());
        let selection = Selection::<Game>::of::<Sent>();
        let delta = selection.delta(&known, &game, 2).unwrap();
        cost(|| selection.apply(&mut client, &mut replica, &delta).unwrap())
    };
    Linear "apply: the sources of a hub get another target" => |n| {
        let (mut game, all) = stars(n);
        let other = game.spawn(Position(0));
        let (mut client, mut replica, known) = client(&mut game);
        for &one in &shuffled(&all) {
            game.relate(one, ChildOf(other)).unwrap();
            game.relate(one, Guards(other)).unwrap();
        }
        let selection = Selection::<Game>::of::<Sent>();
        let delta = selection.delta(&known, &game, 2).unwrap();
        cost(|| selection.apply(&mut client, &mut replica, &delta).unwrap())
    };
    Linear "Replica::clear: stars" => |n| {
        let (mut client, mut replica, _) = client(&mut stars(n).0);
        cost(|| replica.clear(&mut client))
    };
    Linear "Replica::clear: a chain" => |n| {
        let (mut client, mut replica, _) = client(&mut chain(n));
        cost(|| replica.clear(&mut client))
    };
    Linear "save::move_entities: stars" => |n| {
        let (mut game, _) = stars(n);
        let all: Vec<Entity> = game.entities().iter().collect();
        cost(|| move_entities::<Sent, _, _>(&mut game, all, &mut Game::new(), DanglingIds::Keep).unwrap())
    };
};
