//! Change detection by the events of a flagged storage, which the system collects in a bit set.

use specs::storage::ComponentEvent;
use specs::{
    BitSet, Builder, Component, Dispatcher, DispatcherBuilder, Entity, FlaggedStorage, Join, ReadStorage,
    ReaderId, System, VecStorage, World, WorldExt, Write,
};

use super::body;
use crate::harness::Suite;
use crate::math::total;
use crate::workload::changed;

struct Place([f32; 3]);

impl Component for Place {
    type Storage = FlaggedStorage<Self, VecStorage<Self>>;
}

#[derive(Default)]
struct Sum(u64);

#[derive(Default)]
struct Look {
    reader: Option<ReaderId<ComponentEvent>>,
    changed: BitSet,
}

impl<'a> System<'a> for Look {
    type SystemData = (ReadStorage<'a, Place>, Write<'a, Sum>);

    fn setup(&mut self, world: &mut World) {
        world.register::<Place>();
        world.insert(Sum::default());
        self.reader = Some(world.write_storage::<Place>().register_reader());
    }

    fn run(&mut self, (places, mut sum): Self::SystemData) {
        self.changed.clear();
        for event in places.channel().read(self.reader.as_mut().expect("it was set up")) {
            if let ComponentEvent::Modified(id) | ComponentEvent::Inserted(id) = event {
                self.changed.add(*id);
            }
        }
        let all = (&places, &self.changed).join();
        sum.0 = sum.0.wrapping_add(total(all.map(|(place, _)| changed::term(&place.0))));
    }
}

type Tracked = (World, Dispatcher<'static, 'static>, Vec<Entity>);

pub(super) fn cases(suite: &mut Suite) {
    for (workload, share) in changed::SHARES {
        suite.prepared_case(
            workload,
            move |count| -> Tracked {
                let mut world = World::new();
                let mut dispatcher = DispatcherBuilder::new().with(Look::default(), "look", &[]).build();
                dispatcher.setup(&mut world);
                let ids: Vec<Entity> =
                    (0..count).map(|i| world.create_entity().with(Place(body(i).1.0)).build()).collect();
                let chosen = changed::chosen(count, share).into_iter().map(|i| ids[i as usize]).collect();
                dispatcher.dispatch_seq(&world); // who was spawned is new to it
                world.write_resource::<Sum>().0 = 0;
                (world, dispatcher, chosen)
            },
            |(world, _, chosen)| {
                let mut places = world.write_storage::<Place>();
                for &id in &*chosen {
                    changed::change(&mut places.get_mut(id).expect("it lives").0);
                }
            },
            |(world, dispatcher, _)| dispatcher.dispatch_seq(world),
            |(world, ..)| world.read_resource::<Sum>().0,
        );
    }
}
