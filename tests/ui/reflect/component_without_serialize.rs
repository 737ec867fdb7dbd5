//! A component that cannot be read by name, in a world that derives `Reflect`.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    #[derive(Reflect)]
    struct Game {
        components { Position, Velocity }
    }
}

fn main() {}
