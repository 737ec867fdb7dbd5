//! Systems that have little to do, and systems that send and read events.

use specs::shrev::EventChannel;
use specs::{
    Builder, Dispatcher, DispatcherBuilder, Join, Read, ReadStorage, ReaderId, System, World, WorldExt,
    Write, WriteStorage,
};

use super::wide::Part as Lone;
use crate::harness::Suite;
use crate::math::{digest, total};
use crate::workload::{empty_systems, events};

struct Step<const N: usize>;

impl<'a, const N: usize> System<'a> for Step<N> {
    type SystemData = WriteStorage<'a, Lone<N>>;

    fn run(&mut self, mut all: Self::SystemData) {
        (&mut all).join().for_each(|lone| empty_systems::step(&mut lone.0));
    }
}

type Dispatched = (World, Dispatcher<'static, 'static>);

fn sum<const N: usize>(all: &ReadStorage<'_, Lone<N>>) -> u64 {
    total(all.join().map(|lone| digest(&[&[lone.0]])))
}

macro_rules! many {
    ($(($name:ident $_:ident $n:literal))*) => {
        fn many(_: u32) -> Dispatched {
            let (mut world, mut builder) = (World::new(), DispatcherBuilder::new());
            $(builder.add(Step::<$n>, stringify!($name), &[]);)*
            let mut dispatcher = builder.build();
            dispatcher.setup(&mut world);
            let entity = world.create_entity();
            $(let entity = entity.with(Lone::<$n>($n as f32));)*
            entity.build();
            (world, dispatcher)
        }

        fn lones(world: &World) -> u64 {
            [$(sum(&world.read_storage::<Lone<$n>>())),*].into_iter().fold(0, u64::wrapping_add)
        }
    };
}

each_number!(100 many);

type Hit = (u32, u32);

struct Send(u32);

impl<'a> System<'a> for Send {
    type SystemData = Write<'a, EventChannel<Hit>>;

    fn run(&mut self, mut channel: Self::SystemData) {
        for i in 0..self.0 {
            channel.single_write(events::values(i));
        }
    }
}

#[derive(Default)]
struct Sum(u64);

struct Receive(Option<ReaderId<Hit>>);

impl<'a> System<'a> for Receive {
    type SystemData = (Read<'a, EventChannel<Hit>>, Write<'a, Sum>);

    fn setup(&mut self, world: &mut World) {
        world.insert(EventChannel::<Hit>::new());
        world.insert(Sum::default());
        self.0 = Some(world.write_resource::<EventChannel<Hit>>().register_reader());
    }

    fn run(&mut self, (channel, mut sum): Self::SystemData) {
        let unread = channel.read(self.0.as_mut().expect("it was set up"));
        sum.0 = sum.0.wrapping_add(total(unread.map(|hit| events::term(*hit))));
    }
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(
        &empty_systems::IN_TURN,
        many,
        |(world, dispatcher)| dispatcher.dispatch_seq(world),
        |(world, _)| lones(world),
    );
    suite.case(
        &empty_systems::PARALLEL,
        many,
        |(world, dispatcher)| dispatcher.dispatch_par(world),
        |(world, _)| lones(world),
    );
    suite.case(
        &events::EVENTS,
        |count| -> Dispatched {
            let mut world = World::new();
            let mut dispatcher = DispatcherBuilder::new()
                .with(Send(count), "send", &[])
                .with(Receive(None), "receive", &["send"])
                .build();
            dispatcher.setup(&mut world);
            (world, dispatcher)
        },
        |(world, dispatcher)| dispatcher.dispatch_seq(world),
        |(world, _)| world.read_resource::<Sum>().0,
    );
}
