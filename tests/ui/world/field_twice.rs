//! Two components in fields of one name.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { body: Position, body: Velocity }
    }
}

fn main() {}
