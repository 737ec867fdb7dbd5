//! Turns, and orders that take no time.

use ecs::prelude::*;

use crate::clock::Clock;
use crate::world::Dungeon;

/// Begins an order. The system that executes it marks that it takes time.
#[system(Dungeon)]
pub fn begin(mut clock: ResMut<Clock>) {
    clock.begin();
}

/// A condition: whether the order took time, so that the others may act.
#[system(Dungeon)]
pub fn time_passes(clock: Res<Clock>) -> bool {
    clock.passes()
}
