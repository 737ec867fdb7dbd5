//! Systems that have little to do, and systems that send and read events, which are called
//! messages.

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{MultiThreadedExecutor, SingleThreadedExecutor};

use super::wide::Part as Lone;
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::{empty_systems, events};

/// A schedule without systems, whose executor uses one thread or all.
pub(super) fn schedule(parallel: bool) -> Schedule {
    let mut schedule = Schedule::default();
    if parallel {
        schedule.set_executor(MultiThreadedExecutor::new());
    } else {
        schedule.set_executor(SingleThreadedExecutor::new());
    }
    schedule
}

fn step<const N: usize>(mut all: Query<'_, '_, &mut Lone<N>>) {
    all.iter_mut().for_each(|mut lone| empty_systems::step(&mut lone.0));
}

macro_rules! many {
    ($(($_:ident $__:ident $n:literal))*) => {
        fn many(parallel: bool) -> (World, Schedule) {
            let (mut world, mut schedule) = (World::new(), schedule(parallel));
            let mut entity = world.spawn_empty();
            $(entity.insert(Lone::<$n>($n as f32));)*
            $(schedule.add_systems(step::<$n>);)*
            (world, schedule)
        }

        fn lones(world: &mut World) -> u64 {
            [$(total(world.query::<&Lone<$n>>().iter(world).map(|lone| digest(&[&[lone.0]])))),*]
                .into_iter()
                .fold(0, u64::wrapping_add)
        }
    };
}

each_number!(100 many);

#[derive(Message)]
struct Hit(u32, u32);

#[derive(Resource)]
struct Hits {
    sent: u32,
    sum: u64,
}

fn forget(mut all: ResMut<'_, Messages<Hit>>) {
    all.update();
}

fn send(hits: Res<'_, Hits>, mut writer: MessageWriter<'_, Hit>) {
    for i in 0..hits.sent {
        let (target, amount) = events::values(i);
        writer.write(Hit(target, amount));
    }
}

fn receive(mut reader: MessageReader<'_, '_, Hit>, mut hits: ResMut<'_, Hits>) {
    let sum = total(reader.read().map(|hit| events::term((hit.0, hit.1))));
    hits.sum = hits.sum.wrapping_add(sum);
}

pub(super) fn cases(suite: &mut Suite) {
    for (workload, make) in [
        (&empty_systems::IN_TURN, (|_| many(false)) as fn(u32) -> _),
        (&empty_systems::PARALLEL, |_| many(true)),
    ] {
        suite.case(workload, make, |(world, schedule)| schedule.run(world), |(world, _)| lones(world));
    }
    suite.case(
        &events::EVENTS,
        |count| {
            let (mut world, mut schedule) = (World::new(), schedule(false));
            world.init_resource::<Messages<Hit>>();
            world.insert_resource(Hits { sent: count, sum: 0 });
            schedule.add_systems((forget, send, receive).chain());
            (world, schedule)
        },
        |(world, schedule)| schedule.run(world),
        |(world, _)| world.resource::<Hits>().sum,
    );
}
