//! Several mistakes of one kind (system, attribute) in one program: rustc reports them as E0308.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick {
        movement, init_of_another_signature, init_of_another_world, init_that_is_no_function,
        init_that_returns
    }
}

world! {
    struct Editor { components { Position } }
}

// An `exit` function that takes the world shared.
fn cleanup(_: &Game) {}

#[system(Game, exit = cleanup)]
fn movement() {}

// An `init` function that takes the world shared.
fn setup(world: &Game) {
    let _ = world;
}

#[system(Game, init = setup)]
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
