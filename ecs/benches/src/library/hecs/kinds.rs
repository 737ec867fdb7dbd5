//! Entities of several kinds, iterated.

use hecs::{EntityBuilder, PreparedQuery, World};

use super::{A, B, C, D, E, F, G, H, I, J, Position, Velocity, body};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::{combinations, eight_kinds, schedule, simple_iter};

pub(super) fn cases(suite: &mut Suite) {
    combinations_cases(suite);
    suite.case(
        &eight_kinds::EIGHT_KINDS,
        eight_kinds,
        |world| {
            world
                .query_mut::<(&mut Position, &Velocity)>()
                .into_iter()
                .for_each(|(position, velocity)| simple_iter::step(&mut position.0, &velocity.0));
        },
        |world| {
            let all = world.query_mut::<(&Position, &Velocity)>().into_iter();
            total(all.map(|(position, velocity)| digest(&[&position.0, &velocity.0])))
        },
    );
    suite.case(
        &schedule::SCHEDULE,
        swaps,
        |world| {
            swap_ab(world);
            swap_cd(world);
            swap_ce(world);
        },
        |world| {
            let singles = total(world.query_mut::<&C>().into_iter().map(|c| digest(&[&[c.0]])));
            pairs(world).wrapping_add(singles)
        },
    );
}

/// Through a prepared query, which is faster where there are many archetypes.
type Pairs = (World, PreparedQuery<(&'static mut A, &'static B)>);

fn combinations_cases(suite: &mut Suite) {
    for (workload, make) in [
        (&combinations::SPAWNED, spawned as fn(u32) -> Pairs),
        (&combinations::INSERTED, inserted),
        (&combinations::REGROUPED, inserted),
    ] {
        suite.case(
            workload,
            make,
            |(world, query)| {
                query.query_mut(world).for_each(|(a, b)| combinations::step(&mut a.0, &b.0));
            },
            |state| pairs(&mut state.0),
        );
    }
    suite.case(
        &combinations::INSERTED_FOR,
        inserted,
        |(world, query)| {
            for (a, b) in query.query_mut(world) {
                combinations::step(&mut a.0, &b.0);
            }
        },
        |state| pairs(&mut state.0),
    );
}

fn pairs(world: &mut World) -> u64 {
    total(world.query_mut::<(&A, &B)>().into_iter().map(|(a, b)| digest(&[&[a.0], &[b.0]])))
}

fn spawned(count: u32) -> Pairs {
    macro_rules! add {
        ($builder:ident $i:ident $(($letter:ident $bit:literal))*) => {
            $(if $i >> $bit & 1 == 1 {
                $builder.add($letter(combinations::value($i)));
            })*
        };
    }
    let mut world = World::new();
    let mut builder = EntityBuilder::new();
    for i in 0..count {
        each_of_ten!(add builder i);
        world.spawn(builder.build());
    }
    (world, PreparedQuery::new())
}

fn inserted(count: u32) -> Pairs {
    macro_rules! insert {
        ($world:ident $i:ident $(($letter:ident $bit:literal))*) => {
            let id = $world.spawn(());
            $(if $i >> $bit & 1 == 1 {
                $world.insert_one(id, $letter(combinations::value($i))).expect("it lives");
            })*
        };
    }
    let mut world = World::new();
    for i in 0..count {
        each_of_ten!(insert world i);
    }
    (world, PreparedQuery::new())
}

fn eight_kinds(count: u32) -> World {
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
    world
}

fn swaps(count: u32) -> World {
    let mut world = World::new();
    let values = || (0..count).map(schedule::values);
    world.spawn_batch(values().map(|[a, b, ..]| (A(a), B(b))));
    world.spawn_batch(values().map(|[a, b, c, ..]| (A(a), B(b), C(c))));
    world.spawn_batch(values().map(|[a, b, c, d, _]| (A(a), B(b), C(c), D(d))));
    world.spawn_batch(values().map(|[a, b, c, _, e]| (A(a), B(b), C(c), E(e))));
    world
}

fn swap_ab(world: &mut World) {
    world.query_mut::<(&mut A, &mut B)>().into_iter().for_each(|(a, b)| std::mem::swap(&mut a.0, &mut b.0));
}

fn swap_cd(world: &mut World) {
    world.query_mut::<(&mut C, &mut D)>().into_iter().for_each(|(c, d)| std::mem::swap(&mut c.0, &mut d.0));
}

fn swap_ce(world: &mut World) {
    world.query_mut::<(&mut C, &mut E)>().into_iter().for_each(|(c, e)| std::mem::swap(&mut c.0, &mut e.0));
}
