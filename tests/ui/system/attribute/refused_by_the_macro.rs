//! Several mistakes of one kind (system, attribute) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { steer; movement, rest }
    schedule option_with_a_value_tick { option_with_a_value, friction, gravity, ground }
}

// The order and the condition of a system in its attribute.
#[system(Game)]
fn steer(velocity: &mut Velocity) {}

#[system(Game, after = steer)]
fn movement(position: &mut Position) {}

#[system(Game, run_if(playing))]
fn rest(position: &mut Position) {}

// Options of `#[system]` with values where they have none, or in parentheses.
#[system(Game, par(4))]
fn option_with_a_value(position: &mut Position, velocity: &Velocity) {
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
