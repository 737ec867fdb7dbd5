//! Worlds in which entities differ in what they have: with groups, and packed once they are filled.

use std::mem::swap;

use legion::storage::{Component, GroupSource, PackOptions};
use legion::{Entity, IntoQuery, Read, Resources, Schedule, SystemBuilder, World, WorldOptions, Write};

use super::{
    A, B, C, D, E, F, G, H, I, J, Moving, Position, Queried, Scheduled, Velocity, body, movement, queried,
};
use crate::harness::Suite;
use crate::math::digest;
use crate::workload::{churn, combinations, eight_kinds, rare, schedule};

pub(super) fn cases(suite: &mut Suite) {
    combinations_cases(suite);
    moving_cases(suite);
    schedule_case(suite);
    rare_cases(suite);
}

/// A world with one group.
fn grouped<T: GroupSource>() -> World {
    World::new(WorldOptions { groups: vec![T::to_group()] })
}

/// Gives entity `i` a letter, if its combination has that.
fn give<T: Component>(world: &mut World, id: Entity, i: u32, bit: u32, letter: fn(f32) -> T) {
    if (i % combinations::COMBINATIONS) >> bit & 1 == 1 {
        world.entry(id).expect("it lives").add_component(letter(combinations::value(i)));
    }
}

/// The combinations, of entities that are spawned empty: what is spawned has a type, and there are
/// 1,024. The archetypes would be the same, and in the same order.
fn combined(count: u32) -> Queried<(Write<A>, Read<B>)> {
    let mut world = grouped::<(A, B)>();
    let ids = world.extend((0..count).map(|_| ())).to_vec();
    for (i, id) in (0..count).zip(ids) {
        give(&mut world, id, i, 0, A);
        give(&mut world, id, i, 1, B);
        give(&mut world, id, i, 2, C);
        give(&mut world, id, i, 3, D);
        give(&mut world, id, i, 4, E);
        give(&mut world, id, i, 5, F);
        give(&mut world, id, i, 6, G);
        give(&mut world, id, i, 7, H);
        give(&mut world, id, i, 8, I);
        give(&mut world, id, i, 9, J);
    }
    world.pack(PackOptions::force());
    queried(world)
}

fn combinations_cases(suite: &mut Suite) {
    for workload in [&combinations::SPAWNED, &combinations::INSERTED] {
        suite.case(
            workload,
            combined,
            |(world, query)| query.for_each_mut(world, |(a, b)| combinations::step(&mut a.0, &b.0)),
            |state| sum_of_pairs(&state.0),
        );
    }
    suite.case(
        &combinations::INSERTED_FOR,
        combined,
        |(world, query)| {
            for (a, b) in query.iter_mut(world) {
                combinations::step(&mut a.0, &b.0);
            }
        },
        |state| sum_of_pairs(&state.0),
    );
}

fn sum_of_pairs(world: &World) -> u64 {
    let mut all = <(&A, &B)>::query();
    all.iter(world).fold(0, |sum, (a, b)| sum.wrapping_add(digest(&[&[a.0], &[b.0]])))
}

/// Number `n`, with the letters that the bits of its kind say.
fn spawn(world: &mut World, n: u32, kind: u32) -> Entity {
    let (_, position, _, velocity) = body(n);
    match kind {
        0 => world.push((position, velocity)),
        1 => world.push((position, velocity, A(0.0))),
        2 => world.push((position, velocity, B(0.0))),
        3 => world.push((position, velocity, A(0.0), B(0.0))),
        4 => world.push((position, velocity, C(0.0))),
        5 => world.push((position, velocity, A(0.0), C(0.0))),
        6 => world.push((position, velocity, B(0.0), C(0.0))),
        _ => world.push((position, velocity, A(0.0), B(0.0), C(0.0))),
    }
}

fn four_kinds(count: u32) -> (World, Vec<Entity>) {
    let mut world = grouped::<(Position, Velocity)>();
    let ids = (0..count).map(|n| spawn(&mut world, n, n % 4)).collect();
    (world, ids)
}

fn churned((world, ids): &mut (World, Vec<Entity>)) {
    churn::churn(
        world,
        ids,
        |world, id| assert!(world.remove(id), "it lives"),
        |world, n| spawn(world, n, n % 4),
    );
}

fn packed(mut world: World) -> Moving {
    world.pack(PackOptions::force());
    queried(world)
}

fn sum_of_moving(world: &World) -> u64 {
    let mut all = <(&Position, &Velocity)>::query();
    all.iter(world).fold(0, |sum, (position, velocity)| sum.wrapping_add(digest(&[&position.0, &velocity.0])))
}

/// Worlds with churn are not packed, since their entities change all the time.
fn moving_cases(suite: &mut Suite) {
    suite.case(
        &eight_kinds::EIGHT_KINDS,
        |count| {
            let mut world = grouped::<(Position, Velocity)>();
            for i in 0..count {
                spawn(&mut world, i, i % 8);
            }
            packed(world)
        },
        movement,
        |state| sum_of_moving(&state.0),
    );
    suite.case(&churn::STEP, four_kinds, churned, |state| sum_of_moving(&state.0));
    suite.case(
        &churn::BEFORE,
        |count| queried(four_kinds(count).0),
        movement,
        |state| sum_of_moving(&state.0),
    );
    suite.case(
        &churn::AFTER,
        |count| {
            let mut state = four_kinds(count);
            churned(&mut state);
            queried(state.0)
        },
        movement,
        |state| sum_of_moving(&state.0),
    );
}

/// `C` can be in one group only: that with `D` is as good as that with `E`.
fn swapped(count: u32) -> World {
    let groups = vec![<(A, B)>::to_group(), <(C, D)>::to_group()];
    let mut world = World::new(WorldOptions { groups });
    let values = |i| schedule::values(i);
    world.extend((0..count).map(values).map(|[a, b, ..]| (A(a), B(b))));
    world.extend((0..count).map(values).map(|[a, b, c, ..]| (A(a), B(b), C(c))));
    world.extend((0..count).map(values).map(|[a, b, c, d, _]| (A(a), B(b), C(c), D(d))));
    world.extend((0..count).map(values).map(|[a, b, c, _, e]| (A(a), B(b), C(c), E(e))));
    world.pack(PackOptions::force());
    world
}

fn schedule_case(suite: &mut Suite) {
    macro_rules! swapping {
        ($name:literal $left:ident $right:ident) => {
            SystemBuilder::new($name).with_query(<(&mut $left, &mut $right)>::query()).build(
                |_, world, (), query| {
                    query.for_each_mut(world, |(left, right)| swap(&mut left.0, &mut right.0));
                },
            )
        };
    }
    let in_turn = |count| -> Scheduled {
        let schedule = Schedule::builder()
            .add_thread_local(swapping!("a and b" A B))
            .add_thread_local(swapping!("c and d" C D))
            .add_thread_local(swapping!("c and e" C E))
            .build();
        (swapped(count), schedule, Resources::default())
    };
    let parallel = |count| -> Scheduled {
        let schedule = Schedule::builder()
            .add_system(swapping!("a and b" A B))
            .add_system(swapping!("c and d" C D))
            .add_system(swapping!("c and e" C E))
            .build();
        (swapped(count), schedule, Resources::default())
    };
    for (workload, make) in [(&schedule::SCHEDULE, in_turn as fn(u32) -> _), (&schedule::PARALLEL, parallel)]
    {
        suite.case(
            workload,
            make,
            |(world, schedule, resources)| schedule.execute(world, resources),
            |(world, ..)| {
                let sum = sum_of_pairs(world);
                <&C>::query().iter(world).fold(sum, |sum, c| sum.wrapping_add(digest(&[&[c.0]])))
            },
        );
    }
}

struct Rare(f32);

type Rarity = Queried<(Write<Position>, Read<Rare>)>;

fn positions(count: u32) -> (Rarity, Vec<Entity>) {
    let mut world = grouped::<(Position, Rare)>();
    let ids = world.extend((0..count).map(|i| (body(i).1,))).to_vec();
    let ids = rare::chosen(count).into_iter().map(|i| ids[i as usize]).collect();
    (queried(world), ids)
}

fn set(((world, _), chosen): &mut (Rarity, Vec<Entity>)) {
    for &id in &*chosen {
        world.entry(id).expect("it lives").add_component(Rare(0.5));
    }
}

fn step((world, query): &mut Rarity) {
    query.for_each_mut(world, |(position, rare)| rare::step(&mut position.0, &rare.0));
}

fn sum_of_rare(world: &World) -> u64 {
    let mut all = <(&Position, &Rare)>::query();
    all.iter(world).fold(0, |sum, (position, rare)| sum.wrapping_add(digest(&[&position.0, &[rare.0]])))
}

fn rare_cases(suite: &mut Suite) {
    suite.case(
        &rare::RANDOM,
        |count| {
            let mut state = positions(count);
            set(&mut state);
            state.0
        },
        step,
        |state| sum_of_rare(&state.0),
    );
    suite.case(
        &rare::SET,
        positions,
        |state| {
            set(state);
            step(&mut state.0);
            let ((world, _), chosen) = state;
            for &id in &*chosen {
                world.entry(id).expect("it lives").remove_component::<Rare>();
            }
        },
        |((world, _), _)| {
            let mut all = <&Position>::query();
            all.iter(world).fold(0, |sum, position| sum.wrapping_add(digest(&[&position.0])))
        },
    );
    suite.case(
        &rare::KIND,
        |count| {
            let mut world = grouped::<(Position, Rare)>();
            for i in 0..count {
                let (_, position, ..) = body(i);
                match i % 100 {
                    0 => world.push((position, Rare(0.5))),
                    _ => world.push((position,)),
                };
            }
            queried(world)
        },
        step,
        |state| sum_of_rare(&state.0),
    );
}
