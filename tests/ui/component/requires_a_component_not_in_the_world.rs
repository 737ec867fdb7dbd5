//! A required component that the world does not list.
use ecs::prelude::*;

#[derive(Component, Default)]
struct Velocity(f32);

#[derive(Component)]
#[component(requires(Velocity))]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

fn main() {}
