//! A component in the section of the resources.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        resources { position: Position }
    }
}

fn main() {}
