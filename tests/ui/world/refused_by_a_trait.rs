//! Several mistakes of one kind (world) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
type Name = String;

world! {
    struct Game {
        resources { position: Position }
        components { Name }
    }
}

fn main() {}
