//! Systems that have little to do.

use legion::systems::ParallelRunnable;
use legion::{IntoQuery, Resources, Schedule, SystemBuilder, World};

use super::Scheduled;
use super::wide::Part as Lone;
use crate::harness::Suite;
use crate::math::digest;
use crate::workload::empty_systems;

fn step<const N: usize>() -> impl ParallelRunnable {
    SystemBuilder::new("step").with_query(<&mut Lone<N>>::query()).build(|_, world, (), query| {
        query.for_each_mut(world, |lone| empty_systems::step(&mut lone.0));
    })
}

/// Each component's entity has nothing else: one that was given all by and by would leave a hundred
/// archetypes behind.
macro_rules! many {
    ($(($_:ident $__:ident $n:literal))*) => {
        fn world() -> World {
            let mut world = World::default();
            $(world.push((Lone::<$n>($n as f32),));)*
            world
        }

        fn in_turn(_: u32) -> Scheduled {
            let mut builder = Schedule::builder();
            $(builder.add_thread_local(step::<$n>());)*
            (world(), builder.build(), Resources::default())
        }

        fn parallel(_: u32) -> Scheduled {
            let mut builder = Schedule::builder();
            $(builder.add_system(step::<$n>());)*
            (world(), builder.build(), Resources::default())
        }

        fn lones(world: &World) -> u64 {
            let mut sum = 0_u64;
            $(<&Lone<$n>>::query().for_each(world, |lone| sum = sum.wrapping_add(digest(&[&[lone.0]])));)*
            sum
        }
    };
}

each_number!(100 many);

pub(super) fn cases(suite: &mut Suite) {
    for (workload, make) in
        [(&empty_systems::IN_TURN, in_turn as fn(u32) -> _), (&empty_systems::PARALLEL, parallel)]
    {
        suite.case(
            workload,
            make,
            |(world, schedule, resources)| schedule.execute(world, resources),
            |(world, ..)| lones(world),
        );
    }
}
