//! Systems that take the whole world: that copy it, bring it back, run systems and schedules, and change the schedule that was
//! built at run time.

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
/// Keeps a snapshot, which has the states of its own conditions.
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
        // so that it goes on from there on another way
        game.resource_mut::<Sum>().0 ^= log << 3 | u64::from(*runs);
    }
    blow(&fuse, 14);
}
/// Brings the world back to what it was when the system began.
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
/// Runs systems once, and schedules, and catches what panics in them.
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
/// Asks for a change of the schedule that was built at run time.
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
