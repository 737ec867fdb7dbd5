//! Systems: reactions, readers, propagation.

use std::time::Duration;

use ecs::ChildOf;
use ecs::prelude::*;
use ecs::time::Delayed;

use super::game::{Game, Hit, Lit, Offset, shuffled};
use super::measure::Growth::Linear;
use super::measure::{Row, cost, rows};

pub(crate) const ROWS: &[&[Row]] = &[SYSTEMS];

/// A tree in which each entity has eight children.
fn tree(n: usize) -> (Game, Vec<Entity>) {
    let mut game = Game::new();
    let mut all = vec![game.spawn(Offset(1))];
    for i in 1..n {
        all.push(game.spawn((Offset(1), ChildOf(all[(i - 1) / 8]))));
    }
    (game, all)
}

/// A parent with many children.
fn family(n: usize) -> (Game, Vec<Entity>) {
    let mut game = Game::new();
    let mut all = vec![game.spawn(Offset(1))];
    all.extend((1..n).map(|_| game.spawn((Offset(1), ChildOf(all[0])))).collect::<Vec<_>>());
    (game, all)
}

/// Adds events with times to those that wait, and takes them in the order of their times.
fn wait(n: usize, time: fn(u64) -> u64) {
    let mut delayed = Delayed::<Hit>::new();
    for i in 0..n as u64 {
        delayed.send_at(Duration::from_millis(time(i)), Hit(i));
    }
    let mut now = 0;
    while !delayed.is_empty() {
        now += 1000;
        delayed.take_due(Duration::from_millis(now)).for_each(|hit| _ = std::hint::black_box(hit));
    }
}

const SYSTEMS: &[Row] = rows! {
    Linear "Entered, Changed, Removed, EventReader" => |n| {
        let (mut game, all) = tree(n);
        game.notice();
        cost(|| {
            for (&entity, i) in all.iter().zip(0..) {
                game.insert(entity, Lit).unwrap();
                game.get_tracked::<Offset>(entity).unwrap().0 += 1;
                game.send(Hit(i));
            }
            game.notice();
            game.remove_all::<(Lit, Offset)>();
            game.notice();
        })
    };
    Linear "Delayed: events of one delay after the other" => |n| {
        cost(|| wait(n, |i| i))
    };
    Linear "Delayed: events of times in no order" => |n| {
        cost(|| wait(n, |i| i.wrapping_mul(7_919_317) % 1_000_003))
    };
    Linear "propagate" => |n| {
        let (mut game, _) = tree(n);
        cost(|| game.place())
    };
    Linear "propagate: a parent with many children" => |n| {
        let (mut game, _) = family(n);
        cost(|| game.place())
    };
    Linear "propagate_changed: all have changed" => |n| {
        let (mut game, all) = tree(n);
        game.place_changed();
        cost(|| {
            all.iter().for_each(|&entity| game.get_tracked::<Offset>(entity).unwrap().0 += 1);
            game.place_changed();
        })
    };
    Linear "propagate_changed: one child after the other, of a parent with 10,000" => |n| {
        let (mut game, all) = family(10_000);
        game.place_changed();
        cost(|| for i in 0..n {
            game.get_tracked::<Offset>(all[1 + i % 9_000]).unwrap().0 += 1;
            game.place_changed();
        })
    };
    Linear "propagate_changed: all children lose their value" => |n| {
        let (mut game, all) = family(n);
        game.place_changed();
        cost(|| {
            shuffled(&all[1..]).iter().for_each(|&entity| _ = game.remove::<Offset>(entity).unwrap());
            game.place_changed();
        })
    };
};
