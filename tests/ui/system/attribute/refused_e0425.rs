//! Several mistakes of one kind (system, attribute) in one program: rustc reports them as E0425.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement, world_that_is_a_value, world_that_is_no_parameter }
}

// A world that does not exist.
#[system(Gane)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

// A variable where the world's type is expected.
#[system(game)]
fn world_that_is_a_value(position: &mut Position) {
    position.0 += 1.0;
}

// A type parameter as the world that the function does not declare.
#[system(W)]
fn world_that_is_no_parameter(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
