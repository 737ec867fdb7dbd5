//! Commands of another world.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { spawn }
}

world! {
    struct Arena { components { Position } }
}

#[system(Game)]
fn spawn(mut commands: Commands<Arena>) {
    commands.spawn(Position(0.0));
}

fn main() {}
