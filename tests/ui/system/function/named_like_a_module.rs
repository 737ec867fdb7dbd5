//! A system that is called like a module.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

mod movement {}

#[system(Game)]
fn movement(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {}
