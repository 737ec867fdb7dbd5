//! This library.

mod changed;
mod churn;
mod commands;
mod copies;
mod deltas;
mod disabled;
mod epidemic;
mod kinds;
mod names;
mod observers;
mod rare;
mod relations;
mod saves;
mod states;
mod systems;
mod timers;
mod transforms;
mod wide;

use ecs::prelude::*;

use crate::harness::Suite;
use crate::math::{digest, shuffled, total};
use crate::workload::{
    add_remove, despawn, frag_iter, heavy_compute, memory, numbers, one_entity, random_access, simple_insert,
    simple_iter,
};

bodies!(ecs::Component, ecs::Reflect);
letters!(Clone, ecs::Component);

world! {
    struct Bodies {
        components { Transform, Position, Rotation, Velocity }
    }
    schedule tick { movement }
}

#[system(Bodies)]
fn movement(position: &mut Position, velocity: &Velocity) {
    simple_iter::step(&mut position.0, &velocity.0);
}

world! {
    struct Fragments {
        components { Data, A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z }
    }
}

world! {
    struct Pairs {
        components { A, B }
    }
    schedule tick { add_numbers }
}

#[system(Pairs)]
fn add_numbers(a: &mut A, b: &B) {
    numbers::step(&mut a.0, &b.0);
}

fn bodies(count: u32) -> Bodies {
    let mut game = Bodies::new();
    game.spawn_batch((0..count).map(body));
    game
}

fn bodies_and_ids(count: u32) -> (Bodies, Vec<Entity>) {
    let mut game = Bodies::new();
    let ids = game.spawn_batch((0..count).map(body)).collect();
    (game, ids)
}

fn checksum(game: &mut Bodies) -> u64 {
    let all = game.query::<(&Transform, &Position, &Rotation, &Velocity)>();
    all.iter().fold(0, |sum, (t, p, r, v)| sum.wrapping_add(digest(&[&t.0, &p.0, &r.0, &v.0])))
}

/// Adds what this library does.
pub(crate) fn cases(suite: &mut Suite) {
    insert_cases(suite);
    iter_cases(suite);
    suite.case(
        &heavy_compute::HEAVY_COMPUTE,
        bodies,
        |game| {
            game.query_mut::<(&mut Transform, &mut Position)>()
                .for_each(|(transform, position)| heavy_compute::step(&mut transform.0, &mut position.0));
        },
        checksum,
    );
    suite.case(
        &heavy_compute::PARALLEL,
        bodies,
        |game| {
            game.query_mut::<(&mut Transform, &mut Position)>()
                .par_for_each(|(transform, position)| heavy_compute::step(&mut transform.0, &mut position.0));
        },
        checksum,
    );
    suite.case(
        &simple_iter::PARALLEL,
        bodies,
        |game| {
            game.query_mut::<(&mut Position, &Velocity)>()
                .par_for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
        },
        checksum,
    );
    for (workload, make) in [
        (&frag_iter::FRAG_ITER, (|_| fragments()) as fn(u32) -> _),
        (&frag_iter::SINGLE, |_| single_fragments()),
        (&frag_iter::REGROUPED, |_| regrouped_fragments()),
    ] {
        suite.case(
            workload,
            make,
            |game| game.query_mut::<&mut Data>().for_each(|data| frag_iter::step(&mut data.0)),
            sum_of_fragments,
        );
    }
    suite.case(
        &frag_iter::FOR,
        |_| fragments(),
        |game| {
            for data in game.query_mut::<&mut Data>() {
                frag_iter::step(&mut data.0);
            }
        },
        sum_of_fragments,
    );
    add_remove_case(suite);
    random_access_case(suite);
    despawn_cases(suite);
    kinds::cases(suite);
    churn::cases(suite);
    rare::cases(suite);
    systems::cases(suite);
    commands::cases(suite);
    changed::cases(suite);
    relations::cases(suite);
    copies::cases(suite);
    saves::cases(suite);
    deltas::cases(suite);
    names::cases(suite);
    disabled::cases(suite);
    timers::cases(suite);
    epidemic::cases(suite);
    observers::cases(suite);
    states::cases(suite);
    transforms::cases(suite);
    wide::cases(suite);
}

fn insert_cases(suite: &mut Suite) {
    let empty = |count| (Bodies::new(), count);
    for workload in [&simple_insert::ONE_BY_ONE, &memory::BODIES, &memory::SMALL] {
        suite.case(
            workload,
            empty,
            |(game, count)| {
                for i in 0..*count {
                    game.spawn(body(i));
                }
            },
            |state| checksum(&mut state.0),
        );
    }
    suite.case(
        &simple_insert::BATCHED,
        empty,
        |(game, count)| {
            let columns = (
                (0..*count).map(|i| body(i).0),
                (0..*count).map(|i| body(i).1),
                (0..*count).map(|i| body(i).2),
                (0..*count).map(|i| body(i).3),
            );
            drop(game.spawn_columns(columns));
        },
        |state| checksum(&mut state.0),
    );
}

fn iter_cases(suite: &mut Suite) {
    suite.case(
        &simple_iter::FOR,
        bodies,
        |game| {
            for (position, velocity) in game.query_mut::<(&mut Position, &Velocity)>() {
                simple_iter::step(&mut position.0, &velocity.0);
            }
        },
        checksum,
    );
    suite.case(
        &simple_iter::FOR_EACH,
        bodies,
        |game| {
            game.query_mut::<(&mut Position, &Velocity)>()
                .for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
        },
        checksum,
    );
    suite.case(
        &simple_iter::ROW_BY_ROW,
        |count| {
            let mut game = Bodies::new();
            for i in 0..count {
                game.spawn(body(i));
            }
            game
        },
        |game| {
            game.query_mut::<(&mut Position, &Velocity)>()
                .for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
        },
        checksum,
    );
    for workload in [&simple_iter::SYSTEM, &one_entity::ONE_ENTITY] {
        suite.case(workload, bodies, Bodies::tick, checksum);
    }
    suite.case(
        &numbers::NUMBERS,
        |count| {
            let mut game = Pairs::new();
            game.spawn_batch((0..count).map(|_| (A(0.0), B(1.0))));
            game
        },
        Pairs::tick,
        |game| total(game.query::<&A>().iter().map(|a| digest(&[&[a.0]]))),
    );
    suite.case(
        &simple_iter::SLICES,
        bodies,
        |game| {
            for (positions, velocities) in game.query_mut::<(&mut Position, &Velocity)>().chunks_mut() {
                simple_iter::step_slice(positions, velocities);
            }
        },
        checksum,
    );
}

fn fragments() -> Fragments {
    macro_rules! spawn {
        ($game:ident $($letter:ident)*) => {
            $($game.spawn_batch((0..frag_iter::OF_EACH).map(|_| ($letter(0.0), Data(1.0))));)*
        };
    }
    let mut game = Fragments::new();
    each_letter!(spawn game);
    game
}

fn sum_of_fragments(game: &mut Fragments) -> u64 {
    total(game.query::<&Data>().iter().map(|data| digest(&[&[data.0]])))
}

fn single_fragments() -> Fragments {
    macro_rules! spawn {
        ($game:ident $($letter:ident)*) => {
            $($game.spawn(($letter(0.0), Data(1.0)));)*
        };
    }
    let mut game = Fragments::new();
    for _ in 0..frag_iter::OF_EACH {
        each_letter!(spawn game);
    }
    game
}

fn regrouped_fragments() -> Fragments {
    let mut game = single_fragments();
    let _ = game.regroup();
    game
}

fn sum_of_b(game: &Pairs) -> u64 {
    game.query::<&B>().iter().fold(0, |sum, b| sum.wrapping_add(digest(&[&[b.0]])))
}

fn add((game, ids): &mut (Pairs, Vec<Entity>)) {
    for &id in &*ids {
        game.insert(id, B(2.0)).expect("it lives");
    }
}

fn add_remove_case(suite: &mut Suite) {
    suite.case(
        &add_remove::ADD_REMOVE,
        |count| {
            let mut game = Pairs::new();
            let ids = game.spawn_batch((0..count).map(|_| A(1.0))).collect();
            (game, ids)
        },
        |state| {
            add(state);
            let (game, ids) = state;
            for &id in &*ids {
                game.remove::<B>(id).expect("it lives");
            }
        },
        |state| {
            let none = sum_of_b(&state.0);
            add(state);
            add_remove::digest(none, sum_of_b(&state.0))
        },
    );
}

fn random_access_case(suite: &mut Suite) {
    suite.case(
        &random_access::RANDOM_ACCESS,
        |count| {
            let (game, ids) = bodies_and_ids(count);
            let ids: Vec<Entity> = shuffled(count).into_iter().map(|i| ids[i as usize]).collect();
            (game, ids, 0_u64)
        },
        |(game, ids, sum)| {
            for &id in &*ids {
                let position = game.get::<Position>(id).expect("it lives");
                *sum = sum.wrapping_add(random_access::term(&position.0));
            }
        },
        |state| state.2,
    );
}

fn despawn_all((game, ids): &mut (Bodies, Vec<Entity>)) {
    for &id in &*ids {
        game.despawn(id).expect("it lives");
    }
}

fn despawn_cases(suite: &mut Suite) {
    suite.case(&despawn::IN_ORDER, bodies_and_ids, despawn_all, |state| checksum(&mut state.0));
    suite.case(
        &despawn::SHUFFLED,
        |count| {
            let (game, ids) = bodies_and_ids(2 * count);
            (game, shuffled(2 * count).into_iter().take(count as usize).map(|i| ids[i as usize]).collect())
        },
        despawn_all,
        |state| checksum(&mut state.0),
    );
}
