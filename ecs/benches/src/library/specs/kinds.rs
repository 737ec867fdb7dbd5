//! Entities of several kinds, iterated.

use specs::{
    Builder, Dispatcher, DispatcherBuilder, Join, ReadStorage, System, World, WorldExt, WriteStorage,
};

use super::{A, B, C, D, E, F, G, H, I, J, Position, Velocity, body, movement, sum_of};
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::{combinations, eight_kinds, schedule};

pub(super) fn cases(suite: &mut Suite) {
    for workload in [&combinations::SPAWNED, &combinations::INSERTED] {
        suite.case(
            workload,
            combined,
            |world| {
                let (mut firsts, seconds): (WriteStorage<'_, A>, ReadStorage<'_, B>) = world.system_data();
                (&mut firsts, &seconds).join().for_each(|(a, b)| combinations::step(&mut a.0, &b.0));
            },
            |world| pairs(world),
        );
    }
    suite.case(&eight_kinds::EIGHT_KINDS, eight_kinds, movement, |world| {
        let (positions, velocities): (ReadStorage<'_, Position>, ReadStorage<'_, Velocity>) =
            world.system_data();
        let all = (&positions, &velocities).join();
        total(all.map(|(position, velocity)| digest(&[&position.0, &velocity.0])))
    });
    suite.case(
        &schedule::SCHEDULE,
        swaps,
        |(world, dispatcher)| dispatcher.dispatch_seq(world),
        |(world, _)| pairs(world).wrapping_add(sum_of(&world.read_storage::<C>(), |c| c.0)),
    );
    suite.case(
        &schedule::PARALLEL,
        swaps,
        |(world, dispatcher)| dispatcher.dispatch_par(world),
        |(world, _)| pairs(world).wrapping_add(sum_of(&world.read_storage::<C>(), |c| c.0)),
    );
}

fn pairs(world: &World) -> u64 {
    let (firsts, seconds): (ReadStorage<'_, A>, ReadStorage<'_, B>) = world.system_data();
    total((&firsts, &seconds).join().map(|(a, b)| digest(&[&[a.0], &[b.0]])))
}

/// Each storage is by itself: how an entity came by its components makes no difference.
fn combined(count: u32) -> World {
    macro_rules! register {
        ($world:ident $(($letter:ident $bit:literal))*) => {
            $($world.register::<$letter>();)*
        };
    }
    macro_rules! with {
        ($builder:ident $i:ident $(($letter:ident $bit:literal))*) => {
            $(if $i >> $bit & 1 == 1 {
                $builder = $builder.with($letter(combinations::value($i)));
            })*
        };
    }
    let mut world = World::new();
    each_of_ten!(register world);
    for i in 0..count {
        let mut builder = world.create_entity();
        each_of_ten!(with builder i);
        builder.build();
    }
    world
}

fn eight_kinds(count: u32) -> World {
    let mut world = World::new();
    world.register::<Position>();
    world.register::<Velocity>();
    world.register::<A>();
    world.register::<B>();
    world.register::<C>();
    for i in 0..count {
        let (_, position, _, velocity) = body(i);
        let mut builder = world.create_entity().with(position).with(velocity);
        if i & 1 != 0 {
            builder = builder.with(A(0.0));
        }
        if i & 2 != 0 {
            builder = builder.with(B(0.0));
        }
        if i & 4 != 0 {
            builder = builder.with(C(0.0));
        }
        builder.build();
    }
    world
}

fn swaps(count: u32) -> (World, Dispatcher<'static, 'static>) {
    let mut world = World::new();
    let mut dispatcher = DispatcherBuilder::new()
        .with(SwapAb, "ab", &[])
        .with(SwapCd, "cd", &[])
        .with(SwapCe, "ce", &["cd"])
        .build();
    dispatcher.setup(&mut world);
    let values = || (0..count).map(schedule::values);
    for [a, b, ..] in values() {
        world.create_entity().with(A(a)).with(B(b)).build();
    }
    for [a, b, c, ..] in values() {
        world.create_entity().with(A(a)).with(B(b)).with(C(c)).build();
    }
    for [a, b, c, d, _] in values() {
        world.create_entity().with(A(a)).with(B(b)).with(C(c)).with(D(d)).build();
    }
    for [a, b, c, _, e] in values() {
        world.create_entity().with(A(a)).with(B(b)).with(C(c)).with(E(e)).build();
    }
    (world, dispatcher)
}

macro_rules! swap {
    ($name:ident $one:ident $other:ident) => {
        struct $name;

        impl<'a> System<'a> for $name {
            type SystemData = (WriteStorage<'a, $one>, WriteStorage<'a, $other>);

            fn run(&mut self, (mut ones, mut others): Self::SystemData) {
                (&mut ones, &mut others)
                    .join()
                    .for_each(|(one, other)| std::mem::swap(&mut one.0, &mut other.0));
            }
        }
    };
}

swap!(SwapAb A B);
swap!(SwapCd C D);
swap!(SwapCe C E);
