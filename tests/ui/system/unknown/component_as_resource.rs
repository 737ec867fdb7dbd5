//! A component as `Res`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { show }
}

#[system(Game)]
fn show(position: Res<Position>) {
    println!("{}", position.0);
}

fn main() {}
