//! Two worlds for one system.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

world! {
    struct Menu { components { Position } }
}

#[system(Game, Menu)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
