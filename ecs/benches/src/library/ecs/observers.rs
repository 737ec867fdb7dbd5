//! Observers.

use ecs::prelude::*;
use ecs::schedule::Parallelism;

use crate::harness::Suite;
use crate::workload::observers::{self, amount};

#[derive(Component)]
#[component(tracked)]
struct Mark(u32);
#[derive(Component)]
struct Health(u64);

#[derive(Resource)]
struct Orders(Vec<Entity>);
#[derive(Resource, Default)]
struct Sum(u64);

#[derive(Event)]
struct Hit(Entity, u32);

world! {
    struct Marked {
        components { Mark, Health }
        resources { Orders, Sum = Sum::default() }
    }
    observers { sum_added }
    schedule tick { insert }
}

world! {
    struct Fight {
        components { Health }
        resources { Orders }
        events { Hit }
    }
    observers { wound }
    schedule tick { send }
}

#[system(Marked)]
fn insert(orders: Res<'_, Orders>, mut commands: Commands<'_, Marked>) {
    for (i, &id) in orders.0.iter().enumerate() {
        commands.insert(id, Mark(amount(i as u32)));
    }
}

#[system(Marked)]
fn sum_added(added: Query<'_, &Mark, Added<Mark>>, mut sum: ResMut<'_, Sum>) {
    sum.0 += added.iter().map(|mark| u64::from(mark.0)).sum::<u64>();
}

#[system(Fight)]
fn send(orders: Res<'_, Orders>, mut writer: EventWriter<'_, Hit>) {
    for (i, &id) in orders.0.iter().enumerate() {
        writer.send(Hit(id, amount(i as u32)));
    }
}

#[system(Fight)]
fn wound(mut hits: EventReader<'_, Hit>, mut healths: Query<'_, &mut Health>) {
    for Hit(id, amount) in &mut hits {
        if let Some(health) = healths.get_mut(*id) {
            health.0 += u64::from(*amount);
        }
    }
}

pub(super) fn cases(suite: &mut Suite) {
    suite.prepared_case(
        &observers::ADDED,
        |count| {
            let mut game = Marked::new(Orders(Vec::new()));
            game.set_parallelism(Parallelism::Never);
            let ids = game.spawn_batch((0..count).map(|_| Health(0))).collect();
            *game.resource_mut::<Orders>() = Orders(ids);
            game
        },
        |game| {
            let ids = std::mem::take(&mut game.resource_mut::<Orders>().0);
            for &id in &ids {
                let _ = game.remove::<Mark>(id);
            }
            game.resource_mut::<Orders>().0 = ids;
        },
        Marked::tick,
        |game| game.resource::<Sum>().0,
    );
    suite.case(
        &observers::EVENTS,
        |count| {
            let mut game = Fight::new(Orders(Vec::new()));
            game.set_parallelism(Parallelism::Never);
            let ids = game.spawn_batch((0..count).map(|_| Health(0))).collect();
            *game.resource_mut::<Orders>() = Orders(ids);
            game
        },
        Fight::tick,
        |game| game.query::<&Health>().iter().map(|health| health.0).sum(),
    );
}
