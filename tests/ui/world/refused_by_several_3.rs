//! Several mistakes of one kind (world) in one program.
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

world! {
    struct UnknownComponentTypeGame { components { Position, Velocty } }
}

fn main() {}
