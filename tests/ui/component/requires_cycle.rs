//! Three components that require each other in a circle.
use ecs::prelude::*;

#[derive(Component, Default)]
#[component(requires(Velocity))]
struct Position(f32);

#[derive(Component, Default)]
#[component(requires(Mass))]
struct Velocity(f32);

#[derive(Component, Default)]
#[component(requires(Position))]
struct Mass(f32);

world! {
    struct Game {
        components { Position, Velocity, Mass }
    }
}

fn main() {}
