//! A component that disables one that the world does not list.
use ecs::prelude::*;

#[derive(Component)]
struct Velocity(f32);

#[derive(Component)]
#[component(disables(Velocity))]
struct Stunned;

world! {
    struct Game {
        components { Stunned }
    }
}

fn main() {}
