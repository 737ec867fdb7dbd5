//! Turns that pass, and orders that take none.

use ecs::prelude::*;

use crate::clock::Clock;
use crate::world::Dungeon;

/// An order is given; whoever carries it out says whether that takes time.
#[system(Dungeon)]
pub fn begin(mut clock: ResMut<Clock>) {
    clock.begin();
}

/// A condition: whether the order took time, so that the others may act.
#[system(Dungeon)]
pub fn time_passes(clock: Res<Clock>) -> bool {
    clock.passes()
}
