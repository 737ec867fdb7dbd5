//! `Commands` without its world in a function that is no system.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
}

fn explode(commands: &mut Commands, at: Entity) {
    commands.despawn(at);
}

fn main() {}
