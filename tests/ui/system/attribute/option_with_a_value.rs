//! Options of `#[system]` with values where they have none, or in parentheses.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { movement, friction, gravity, ground }
}

#[system(Game, par(4))]
fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

#[system(Game, par = 4)]
fn friction(velocity: &mut Velocity) {
    velocity.0 *= 0.9;
}

#[system(Game, init(setup))]
fn gravity(velocity: &mut Velocity) {
    velocity.0 -= 9.81;
}

#[system(world = Game)]
fn ground(position: &mut Position) {
    position.0 = position.0.max(0.0);
}

fn setup(_: &mut Game) {}

fn main() {}
