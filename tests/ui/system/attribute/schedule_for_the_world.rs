//! A schedule in the place of the world, and a misspelt attribute.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { movement, drag, stop }
}

#[system(Game::tick)]
fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

#[system(tick)]
fn drag(velocity: &mut Velocity) {
    velocity.0 *= 0.9;
}

#[systems(Game)]
fn stop(velocity: &mut Velocity) {
    velocity.0 = 0.0;
}

fn main() {}
