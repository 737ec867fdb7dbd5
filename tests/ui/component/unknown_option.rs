//! An option that `derive(Component)` does not have, close to one that it has.
use ecs::prelude::*;

#[derive(Component, Default)]
struct Velocity(f32);

#[derive(Component)]
#[component(require(Velocity))]
struct Position(f32);

world! {
    struct Game {
        components { Position, Velocity }
    }
}

fn main() {}
