//! A required component that has no default to begin with.
use ecs::prelude::*;

#[derive(Component)]
struct Velocity(f32);

#[derive(Component)]
#[component(requires(Velocity))]
struct Position(f32);

world! {
    struct Game {
        components { Position, Velocity }
    }
}

fn main() {}
