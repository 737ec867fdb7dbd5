//! Three components, and a schedule of four systems.

use bevy_ecs::prelude::*;

use super::systems::schedule;
use super::threaded;
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

fn sort(agents: Query<'_, '_, (&Place, &Health)>, mut now: ResMut<'_, Now>) {
    let infectious = agents.iter().filter(|(_, health)| health.0.is_infectious()).map(|(place, _)| place.0);
    let Tick { side, contacts, .. } = &mut now.0;
    contacts.sort(infectious, *side);
}

fn infect(mut agents: Query<'_, '_, (&Id, &Place, &mut Health)>, now: Res<'_, Now>) {
    let now = &now.0;
    agents.iter_mut().for_each(|(id, place, mut health)| now.infect(id.0, place.0, &mut health.0));
}

fn walk(mut agents: Query<'_, '_, (&Id, &mut Place)>, now: Res<'_, Now>) {
    let now = &now.0;
    agents.iter_mut().for_each(|(id, mut place)| now.walk(id.0, &mut place.0));
}

fn infect_on_all_threads(mut agents: Query<'_, '_, (&Id, &Place, &mut Health)>, now: Res<'_, Now>) {
    let now = &now.0;
    agents.par_iter_mut().for_each(|(id, place, mut health)| now.infect(id.0, place.0, &mut health.0));
}

fn walk_on_all_threads(mut agents: Query<'_, '_, (&Id, &mut Place)>, now: Res<'_, Now>) {
    let now = &now.0;
    agents.par_iter_mut().for_each(|(id, mut place)| now.walk(id.0, &mut place.0));
}

fn pass(mut now: ResMut<'_, Now>) {
    now.0.number += 1;
}

fn city(count: u32, parallel: bool) -> (World, Schedule) {
    let mut world = World::new();
    world.insert_resource(Now(Tick::new(count)));
    world.spawn_batch(
        epidemic::agents(count).map(|(id, point, illness)| (Id(id), Place(point), Health(illness))),
    );
    let mut schedule = schedule(false);
    match parallel {
        false => schedule.add_systems((sort, infect, walk, pass).chain()),
        true => schedule.add_systems((sort, infect_on_all_threads, walk_on_all_threads, pass).chain()),
    };
    (threaded(world), schedule)
}

fn checksum((world, _): &mut (World, Schedule)) -> u64 {
    let mut agents = world.query::<(&Id, &Place, &Health)>();
    let terms = agents.iter(world).map(|(id, place, health)| epidemic::term(id.0, place.0, health.0));
    terms.fold(0, u64::wrapping_add)
}

pub(super) fn cases(suite: &mut Suite) {
    let tick = |(world, schedule): &mut (World, Schedule)| schedule.run(world);
    suite.case(&epidemic::EPIDEMIC, |count| city(count, false), tick, checksum);
    suite.case(&epidemic::PARALLEL, |count| city(count, true), tick, checksum);
}
