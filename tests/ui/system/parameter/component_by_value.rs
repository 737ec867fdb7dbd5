//! A component by value, where a reference to it is meant.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { show }
}

#[system(Game)]
fn show(position: Position) {
    println!("{}", position.0);
}

fn main() {}
