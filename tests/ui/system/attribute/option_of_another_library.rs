//! The order and the condition of a system in its attribute.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { steer; movement, rest }
}

#[system(Game)]
fn steer(velocity: &mut Velocity) {}

#[system(Game, after = steer)]
fn movement(position: &mut Position) {}

#[system(Game, run_if(playing))]
fn rest(position: &mut Position) {}

fn main() {}
