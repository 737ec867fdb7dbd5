//! Several mistakes of one kind (system, attribute) in one program.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick {
        movement, init_called, schedule_for_the_world, drag, stop, two_worlds,
        type_that_is_no_world, unknown_option, world_by_reference, world_in_quotes, refused_e0308,
        init_of_another_signature, init_of_another_world, init_that_is_no_function,
        init_that_returns
    }
}

world! {
    struct Menu { components { Position } }
}

world! {
    struct Editor { components { Position } }
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

// The trait in place of a world.
#[system(World)]
fn trait_in_place_of_a_world(position: &mut Position) {
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

// An `exit` function that takes the world shared.
fn refused_e0308_cleanup(_: &Game) {}

#[system(Game, exit = refused_e0308_cleanup)]
fn refused_e0308() {}

// An `init` function that takes the world shared.
fn refused_e0308_setup(world: &Game) {
    let _ = world;
}

#[system(Game, init = refused_e0308_setup)]
fn init_of_another_signature(position: &mut Position) {
    position.0 += 1.0;
}

// A function behind `init` that takes another world.
fn init_of_another_world_setup(world: &mut Editor) {
    world.spawn(Position(0.0));
}

#[system(Game, init = init_of_another_world_setup)]
fn init_of_another_world(position: &mut Position) {
    position.0 += 1.0;
}

// A value of `init` that is no function.
#[system(Game, init = init_that_is_no_function)]
fn init_that_is_no_function(position: &mut Position) {
    position.0 += 1.0;
}

// A function behind `init` that returns something.
fn init_that_returns_setup(world: &mut Game) -> Entity {
    world.spawn(Position(0.0))
}

#[system(Game, init = init_that_returns_setup)]
fn init_that_returns(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
