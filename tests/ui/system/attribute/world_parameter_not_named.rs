//! A system with a type parameter for its world, without the parameter in the attribute.

use ecs::prelude::*;

#[system]
fn reset<W: World>(world: &mut W) {
    world.clear();
}

fn main() {}
