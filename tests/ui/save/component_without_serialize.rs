//! A component that cannot be saved, in a world that is.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    #[derive(Serialize, Deserialize)]
    struct Game {
        components { Position, Velocity }
    }
}

fn main() {}
