//! Several mistakes of one kind (system, attribute) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick {
        movement, init_called, schedule_for_the_world, drag, stop, two_worlds,
        type_that_is_no_world, unknown_option, world_by_reference, world_in_quotes
    }
}

world! {
    struct Menu { components { Position } }
}

// A function behind `exit` that is called instead of named.
fn cleanup(_: &mut Game) {}

#[system(Game, exit = cleanup())]
fn movement() {}

// A function behind `init` that is called instead of named.
fn setup(world: &mut Game) {
    world.spawn(Position(0.0));
}

#[system(Game, init = setup())]
fn init_called(position: &mut Position) {
    position.0 += 1.0;
}

// A schedule in the place of the world, and a misspelt attribute.
#[system(Game::tick)]
fn schedule_for_the_world(position: &mut Position, velocity: &Velocity) {
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

// Two worlds for one system.
#[system(Game, Menu)]
fn two_worlds(position: &mut Position) {
    position.0 += 1.0;
}

// A type that is no world.
#[system(Position)]
fn type_that_is_no_world(position: &mut Position) {
    position.0 += 1.0;
}

// An option that systems do not have.
#[system(Game, parallel)]
fn unknown_option(position: &mut Position) {
    position.0 += 1.0;
}

// A world given as a reference.
#[system(&mut Game)]
fn world_by_reference(position: &mut Position) {
    position.0 += 1.0;
}

// A world given as a text.
#[system("Game")]
fn world_in_quotes(position: &mut Position) {
    position.0 += 1.0;
}

// A system with a type parameter for its world, without the parameter in the attribute.
#[system]
fn reset<W: World>(world: &mut W) {
    world.clear();
}

fn main() {}
