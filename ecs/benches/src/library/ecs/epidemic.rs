//! Three components, and a schedule of four systems.

use ecs::prelude::*;
use ecs::schedule::Parallelism;

use crate::harness::Suite;
use crate::workload::epidemic::{self, Tick, rules};

#[derive(Component)]
struct Id(u64);
#[derive(Component)]
struct Place(rules::Point);
#[derive(Component)]
struct Health(rules::Illness);
#[derive(Resource)]
struct Now(Tick);

world! {
    struct City {
        components { Id, Place, Health }
        resources { Now }
    }
    schedule tick { sort; infect; walk; pass }
    schedule tick_on_all_threads { sort; infect_on_all_threads; walk_on_all_threads; pass }
}

#[system(City)]
fn sort(agents: Query<'_, (&Place, &Health)>, mut now: ResMut<'_, Now>) {
    let infectious = agents.iter().filter(|(_, health)| health.0.is_infectious()).map(|(place, _)| place.0);
    let Tick { side, contacts, .. } = &mut now.0;
    contacts.sort(infectious, *side);
}

#[system(City)]
fn infect(id: &Id, place: &Place, health: &mut Health, now: Res<'_, Now>) {
    now.0.infect(id.0, place.0, &mut health.0);
}

#[system(City)]
fn walk(id: &Id, place: &mut Place, now: Res<'_, Now>) {
    now.0.walk(id.0, &mut place.0);
}

#[system(City, par)]
fn infect_on_all_threads(id: &Id, place: &Place, health: &mut Health, now: Res<'_, Now>) {
    now.0.infect(id.0, place.0, &mut health.0);
}

#[system(City, par)]
fn walk_on_all_threads(id: &Id, place: &mut Place, now: Res<'_, Now>) {
    now.0.walk(id.0, &mut place.0);
}

#[system(City)]
fn pass(mut now: ResMut<'_, Now>) {
    now.0.number += 1;
}

fn city(count: u32) -> City {
    let mut city = City::new(Now(Tick::new(count)));
    city.spawn_batch(
        epidemic::agents(count).map(|(id, point, illness)| (Id(id), Place(point), Health(illness))),
    );
    city
}

fn checksum(city: &mut City) -> u64 {
    let agents = city.query::<(&Id, &Place, &Health)>();
    let terms = agents.iter().map(|(id, place, health)| epidemic::term(id.0, place.0, health.0));
    terms.fold(0, u64::wrapping_add)
}

pub(super) fn cases(suite: &mut Suite) {
    let on_one_thread = |count| {
        let mut city = city(count);
        city.set_parallelism(Parallelism::Never);
        city
    };
    suite.case(&epidemic::EPIDEMIC, on_one_thread, City::tick, checksum);
    suite.case(&epidemic::PARALLEL, city, City::tick_on_all_threads, checksum);
}
