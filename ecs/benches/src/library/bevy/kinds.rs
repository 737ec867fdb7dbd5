//! Entities of several kinds, iterated.

use bevy_ecs::prelude::*;

use super::{A, B, C, D, E, F, G, H, I, J, Moving, Queried, body, systems};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::{combinations, eight_kinds, schedule, simple_iter};

pub(super) fn cases(suite: &mut Suite) {
    for workload in [&combinations::SPAWNED, &combinations::INSERTED] {
        suite.case(
            workload,
            combined,
            |Queried(world, query)| {
                query.iter_mut(world).for_each(|(mut a, b)| combinations::step(&mut a.0, &b.0));
            },
            |state| pairs(&mut state.0),
        );
    }
    suite.case(
        &combinations::INSERTED_FOR,
        combined,
        |Queried(world, query)| {
            for (mut a, b) in query.iter_mut(world) {
                combinations::step(&mut a.0, &b.0);
            }
        },
        |state| pairs(&mut state.0),
    );
    suite.case(
        &eight_kinds::EIGHT_KINDS,
        eight_kinds,
        |Queried(world, query)| {
            query
                .iter_mut(world)
                .for_each(|(mut position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
        },
        |Queried(world, query)| {
            let all = query.iter(world);
            total(all.map(|(position, velocity)| digest(&[&position.0, &velocity.0])))
        },
    );
    for (workload, make) in [
        (&schedule::SCHEDULE, (|count| swaps(count, false)) as fn(u32) -> _),
        (&schedule::PARALLEL, |count| swaps(count, true)),
    ] {
        suite.case(
            workload,
            make,
            |(world, schedule)| schedule.run(world),
            |(world, _)| {
                let singles = total(world.query::<&C>().iter(world).map(|c| digest(&[&[c.0]])));
                pairs(world).wrapping_add(singles)
            },
        );
    }
}

type Pairs = Queried<(&'static mut A, &'static B)>;

fn pairs(world: &mut World) -> u64 {
    total(world.query::<(&A, &B)>().iter(world).map(|(a, b)| digest(&[&[a.0], &[b.0]])))
}

/// However entities come into a table, it holds the same: there are no 1,024 calls of `spawn` here,
/// since every one is compiled for itself.
fn combined(count: u32) -> Pairs {
    macro_rules! insert {
        ($world:ident $i:ident $(($letter:ident $bit:literal))*) => {
            let mut entity = $world.spawn_empty();
            $(if $i >> $bit & 1 == 1 {
                entity.insert($letter(combinations::value($i)));
            })*
        };
    }
    let mut world = World::new();
    for i in 0..count {
        each_of_ten!(insert world i);
    }
    Queried::new(world)
}

fn eight_kinds(count: u32) -> Moving {
    let mut world = World::new();
    for i in 0..count {
        let (_, p, _, v) = body(i);
        match i % 8 {
            0 => world.spawn((p, v)),
            1 => world.spawn((p, v, A(0.0))),
            2 => world.spawn((p, v, B(0.0))),
            3 => world.spawn((p, v, A(0.0), B(0.0))),
            4 => world.spawn((p, v, C(0.0))),
            5 => world.spawn((p, v, A(0.0), C(0.0))),
            6 => world.spawn((p, v, B(0.0), C(0.0))),
            _ => world.spawn((p, v, A(0.0), B(0.0), C(0.0))),
        };
    }
    Queried::new(world)
}

fn swaps(count: u32, parallel: bool) -> (World, Schedule) {
    let mut world = World::new();
    let values = || (0..count).map(schedule::values);
    world.spawn_batch(values().map(|[a, b, ..]| (A(a), B(b))));
    world.spawn_batch(values().map(|[a, b, c, ..]| (A(a), B(b), C(c))));
    world.spawn_batch(values().map(|[a, b, c, d, _]| (A(a), B(b), C(c), D(d))));
    world.spawn_batch(values().map(|[a, b, c, _, e]| (A(a), B(b), C(c), E(e))));
    let mut schedule = systems::schedule(parallel);
    if parallel {
        schedule.add_systems((swap_ab, (swap_cd, swap_ce).chain()));
    } else {
        schedule.add_systems((swap_ab, swap_cd, swap_ce).chain());
    }
    (world, schedule)
}

fn swap_ab(mut all: Query<'_, '_, (&mut A, &mut B)>) {
    all.iter_mut().for_each(|(mut a, mut b)| std::mem::swap(&mut a.0, &mut b.0));
}

fn swap_cd(mut all: Query<'_, '_, (&mut C, &mut D)>) {
    all.iter_mut().for_each(|(mut c, mut d)| std::mem::swap(&mut c.0, &mut d.0));
}

fn swap_ce(mut all: Query<'_, '_, (&mut C, &mut E)>) {
    all.iter_mut().for_each(|(mut c, mut e)| std::mem::swap(&mut c.0, &mut e.0));
}
