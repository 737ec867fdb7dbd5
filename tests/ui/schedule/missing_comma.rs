//! Two systems without a comma or semicolon between them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { Position, Velocity }
    }
    schedule tick {
        movement rest;
    }
}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

#[system(Game)]
fn rest(velocity: &mut Velocity) {
    velocity.0 *= 0.5;
}

fn main() {}
