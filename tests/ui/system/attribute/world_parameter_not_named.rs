//! A system that is generic over its world and borrows it says so in the attribute.

use ecs::prelude::*;

#[system]
fn reset<W: World>(world: &mut W) {
    world.clear();
}

fn main() {}
