//! Exclusive systems: they take and restore snapshots, run systems and schedules, and change the
//! run-time schedule.

use std::panic::{AssertUnwindSafe, catch_unwind};

use ecs::prelude::*;

use super::bombs::blow;
use super::step::change;
use super::systems::*;
use super::world::*;

#[system(Game)]
pub(super) fn whole(game: &mut Game) {
    let entities = game.entities().len() as u64;
    game.resource_mut::<Sum>().0 ^= entities;
    let entity = game.spawn((Mass(entities as u32), Team(3)));
    game.get_tracked::<Team>(entity).unwrap().0 = 4;
}
/// Keeps a snapshot, which contains the states of the system's own conditions.
#[system(Game)]
pub(super) fn keeps(game: &mut Game, mut runs: Local<u32>) {
    *runs += 1;
    game.resource_mut::<Sum>().0 ^= u64::from(*runs) << 8;
    let snapshot = game.snapshot();
    game.resource_mut::<Back>().0 = Some(snapshot);
}
#[system(Game)]
pub(super) fn goes_back(game: &mut Game, mut runs: Local<u32>) {
    *runs += 1;
    let log = game.resource::<Log>().0.len() as u64;
    let fuse = game.resource::<Fuse>().clone();
    if let Some(snapshot) = game.resource::<Back>().0.clone().filter(|_| !runs.is_multiple_of(3)) {
        game.restore(&snapshot);
        // so that the run after the snapshot differs
        game.resource_mut::<Sum>().0 ^= log << 3 | u64::from(*runs);
    }
    blow(&fuse, 14);
}
/// Restores the world from a snapshot that it took at its beginning.
#[system(Game)]
pub(super) fn there_and_back(game: &mut Game) {
    let snapshot = game.snapshot();
    game.run::<spawn_few>();
    game.run::<shout>();
    game.clear();
    game.restore(&snapshot);
    let copy = game.clone();
    game.despawn(game.entities().iter().next().unwrap_or(Entity::from_bits(1 << 32).unwrap())).ok();
    *game = copy;
    game.spawn((Mass(2), Tag));
}
/// Runs systems and schedules, and catches their panics.
#[system(Game)]
pub(super) fn runs_others(game: &mut Game, mut runs: Local<u32>) {
    *runs += 1;
    game.run::<spawn_few>();
    game.run::<click>();
    game.run::<seen>();
    let call =
        [Game::inner, Game::bombs, Game::plain_bombs, Game::skipping, Game::questions][*runs as usize % 5];
    let panicked = catch_unwind(AssertUnwindSafe(|| call(game))).is_err();
    game.resource_mut::<Log>().0.push(40 + u64::from(panicked));
    game.run::<hear>();
}
/// Requests a change of the run-time schedule.
#[system(Game)]
pub(super) fn replans(game: &mut Game) {
    let number = game.resource::<Sum>().0 ^ game.resource::<Log>().0.len() as u64;
    game.edit_schedule("built", change(number));
}
/// The same by a command, at the end of the stage.
#[system(Game)]
pub(super) fn replans_later(mut commands: Commands<Game>, sum: Res<Sum>) {
    let number = sum.0 >> 3;
    commands.run(move |game| {
        game.edit_schedule("built", change(number));
        game.edit_schedule("built", move |_, game| game.edit_schedule("built", change(number >> 5)));
    });
}
