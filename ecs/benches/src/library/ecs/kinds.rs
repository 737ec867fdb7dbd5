//! Entities of several kinds, iterated.

use ecs::prelude::*;
use ecs::schedule::Parallelism;

use super::{A, B, C, D, E, F, G, H, I, J, Position, Velocity, body};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::{combinations, eight_kinds, schedule, simple_iter};

world! {
    #[derive(Clone)]
    struct Combinations {
        components { A, B, C, D, E, F, G, H, I, J }
    }
}

world! {
    struct Kinds {
        components { Position, Velocity, A, B, C }
    }
}

world! {
    struct Swaps {
        components { A, B, C, D, E }
    }
    schedule tick { swap_ab, swap_cd, swap_ce }
}

#[system(Swaps)]
fn swap_ab(a: &mut A, b: &mut B) {
    std::mem::swap(&mut a.0, &mut b.0);
}

#[system(Swaps)]
fn swap_cd(c: &mut C, d: &mut D) {
    std::mem::swap(&mut c.0, &mut d.0);
}

#[system(Swaps)]
fn swap_ce(c: &mut C, e: &mut E) {
    std::mem::swap(&mut c.0, &mut e.0);
}

pub(super) fn cases(suite: &mut Suite) {
    for (workload, make) in [
        (&combinations::SPAWNED, spawned as fn(u32) -> _),
        (&combinations::INSERTED, inserted),
        (&combinations::REGROUPED, regrouped),
    ] {
        suite.case(
            workload,
            make,
            |game| {
                game.query_mut::<(&mut A, &B)>().for_each(|(a, b)| combinations::step(&mut a.0, &b.0));
            },
            |game| total(game.query::<(&A, &B)>().iter().map(|(a, b)| digest(&[&[a.0], &[b.0]]))),
        );
    }
    suite.case(
        &combinations::INSERTED_FOR,
        inserted,
        |game| {
            for (a, b) in game.query_mut::<(&mut A, &B)>() {
                combinations::step(&mut a.0, &b.0);
            }
        },
        |game| total(game.query::<(&A, &B)>().iter().map(|(a, b)| digest(&[&[a.0], &[b.0]]))),
    );
    suite.case(
        &eight_kinds::EIGHT_KINDS,
        eight_kinds,
        |game| {
            game.query_mut::<(&mut Position, &Velocity)>()
                .for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
        },
        |game| {
            let all = game.query::<(&Position, &Velocity)>();
            total(all.iter().map(|(position, velocity)| digest(&[&position.0, &velocity.0])))
        },
    );
    for (workload, make) in [
        (&schedule::SCHEDULE, (|count| swaps(count, Parallelism::Never)) as fn(u32) -> _),
        (&schedule::PARALLEL, |count| swaps(count, Parallelism::Auto)),
    ] {
        suite.case(workload, make, Swaps::tick, |game| {
            let pairs = total(game.query::<(&A, &B)>().iter().map(|(a, b)| digest(&[&[a.0], &[b.0]])));
            pairs.wrapping_add(total(game.query::<&C>().iter().map(|c| digest(&[&[c.0]]))))
        });
    }
}

/// Of each combination one entity is put together component by component, and all others are its
/// clones, which are spawned with all that they have. As bundles, 1,024 types were a fifth of what
/// the compiler makes for this library.
fn spawned(count: u32) -> Combinations {
    macro_rules! set_values {
        ($game:ident $id:ident $i:ident $(($letter:ident $bit:literal))*) => {
            $(if let Some(letter) = $game.get_mut::<$letter>($id) {
                letter.0 = combinations::value($i);
            })*
        };
    }
    let mut game = inserted(combinations::COMBINATIONS);
    let first: Vec<Entity> = game.entities().iter().collect();
    for i in 0..count {
        let id = game.clone_entity(first[(i % combinations::COMBINATIONS) as usize]).expect("it lives");
        each_of_ten!(set_values game id i);
    }
    first.into_iter().for_each(|id| game.despawn(id).expect("it lives"));
    game
}

fn inserted(count: u32) -> Combinations {
    macro_rules! insert {
        ($game:ident $i:ident $(($letter:ident $bit:literal))*) => {
            let id = $game.spawn(());
            $(if $i >> $bit & 1 == 1 {
                $game.insert(id, $letter(combinations::value($i))).expect("it lives");
            })*
        };
    }
    let mut game = Combinations::new();
    for i in 0..count {
        each_of_ten!(insert game i);
    }
    game
}

fn regrouped(count: u32) -> Combinations {
    let mut game = inserted(count);
    let _ = game.regroup();
    game
}

fn eight_kinds(count: u32) -> Kinds {
    let mut game = Kinds::new();
    for i in 0..count {
        let (_, p, _, v) = body(i);
        match i % 8 {
            0 => game.spawn((p, v)),
            1 => game.spawn((p, v, A(0.0))),
            2 => game.spawn((p, v, B(0.0))),
            3 => game.spawn((p, v, A(0.0), B(0.0))),
            4 => game.spawn((p, v, C(0.0))),
            5 => game.spawn((p, v, A(0.0), C(0.0))),
            6 => game.spawn((p, v, B(0.0), C(0.0))),
            _ => game.spawn((p, v, A(0.0), B(0.0), C(0.0))),
        };
    }
    game
}

fn swaps(count: u32, spread: Parallelism) -> Swaps {
    let mut game = Swaps::new();
    game.set_parallelism(spread);
    let values = || (0..count).map(schedule::values);
    game.spawn_batch(values().map(|[a, b, ..]| (A(a), B(b))));
    game.spawn_batch(values().map(|[a, b, c, ..]| (A(a), B(b), C(c))));
    game.spawn_batch(values().map(|[a, b, c, d, _]| (A(a), B(b), C(c), D(d))));
    game.spawn_batch(values().map(|[a, b, c, _, e]| (A(a), B(b), C(c), E(e))));
    game
}
