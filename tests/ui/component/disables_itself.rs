//! A component that disables itself, or another one twice.
use ecs::prelude::*;

#[derive(Component)]
struct Velocity(f32);

#[derive(Component)]
#[component(disables(Velocity, Velocity))]
struct Stunned;

#[derive(Component)]
#[component(disables(Asleep))]
struct Asleep;

world! {
    struct Game {
        components { Velocity, Stunned, Asleep }
    }
}

fn main() {}
