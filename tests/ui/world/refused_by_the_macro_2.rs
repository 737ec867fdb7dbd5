//! Several mistakes of one kind (world) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Event)]
struct Bumped(u32);

world! {
    struct Game {
        components { position: Position, Velocity, place: Position }
        events { Bumped(extern) }
    }
}

fn main() {}
