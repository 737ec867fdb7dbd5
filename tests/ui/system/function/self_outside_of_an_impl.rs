//! `self` in a free function.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(&self, position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
