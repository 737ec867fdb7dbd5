//! `&mut World`: the trait, and not a world.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { Position, Velocity }
    }
    schedule tick { reset, restart }
}

#[system(Game)]
fn reset(world: &mut World) {
    world.clear();
}

#[system]
fn restart(world: &mut World) {
    world.clear();
}

fn main() {}
