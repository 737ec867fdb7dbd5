//! A type that is no parameter.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { show }
}

#[system(Game)]
fn show(positions: Vec<Position>) {
    for position in &positions {
        println!("{}", position.0);
    }
}

fn main() {}
