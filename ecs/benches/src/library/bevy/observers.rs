//! Observers.

use bevy_ecs::prelude::*;

use super::systems;
use crate::harness::Suite;
use crate::workload::observers::{self, amount};

#[derive(Component)]
struct Mark(u32);
#[derive(Component)]
struct Health(u64);

#[derive(Resource)]
struct Orders(Vec<Entity>);
#[derive(Resource, Default)]
struct Sum(u64);

#[derive(EntityEvent)]
struct Hit {
    entity: Entity,
    amount: u32,
}

fn insert(orders: Res<'_, Orders>, mut commands: Commands<'_, '_>) {
    for (i, &id) in orders.0.iter().enumerate() {
        commands.entity(id).insert(Mark(amount(i as u32)));
    }
}

fn sum_added(added: On<'_, '_, Add<Mark>>, marks: Query<'_, '_, &Mark>, mut sum: ResMut<'_, Sum>) {
    sum.0 += u64::from(marks.get(added.entity).expect("it was added").0);
}

fn send(orders: Res<'_, Orders>, mut commands: Commands<'_, '_>) {
    for (i, &entity) in orders.0.iter().enumerate() {
        commands.trigger(Hit { entity, amount: amount(i as u32) });
    }
}

fn wound(hit: On<'_, '_, Hit>, mut healths: Query<'_, '_, &mut Health>) {
    if let Ok(mut health) = healths.get_mut(hit.entity) {
        health.0 += u64::from(hit.amount);
    }
}

fn crew(count: u32) -> (World, Schedule) {
    let (mut world, schedule) = (World::new(), systems::schedule(false));
    let ids = world.spawn_batch((0..count).map(|_| Health(0))).collect();
    world.insert_resource(Orders(ids));
    world.init_resource::<Sum>();
    (world, schedule)
}

pub(super) fn cases(suite: &mut Suite) {
    suite.prepared_case(
        &observers::ADDED,
        |count| {
            let (mut world, mut schedule) = crew(count);
            world.add_observer(sum_added);
            schedule.add_systems(insert);
            (world, schedule)
        },
        |(world, _)| {
            world.resource_scope(|world, orders: Mut<'_, Orders>| {
                for &id in &orders.0 {
                    world.entity_mut(id).remove::<Mark>();
                }
            });
            world.clear_trackers();
        },
        |(world, schedule)| schedule.run(world),
        |(world, _)| world.resource::<Sum>().0,
    );
    suite.case(
        &observers::EVENTS,
        |count| {
            let (mut world, mut schedule) = crew(count);
            world.add_observer(wound);
            schedule.add_systems(send);
            (world, schedule)
        },
        |(world, schedule)| schedule.run(world),
        |(world, _)| {
            let mut healths = world.query::<&Health>();
            healths.iter(world).map(|health| health.0).sum()
        },
    );
}
