//! Conditions that are expressions.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource, Default)]
struct Clock {
    step: f32,
}
#[derive(Resource, Default)]
struct Paused(bool);

world! {
    struct Game {
        components { Position, Velocity }
        resources { clock: Clock, paused: Paused }
    }
    schedule tick {
        movement if clock.step > 0.0,
        friction if true;
    }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

#[system(Game)]
fn friction(velocity: &mut Velocity) {
    velocity.0 *= 0.9;
}

fn main() {}
