//! A tag that a per-entity system borrows mutably.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game { components { Position, Velocity, Frozen } }
    schedule tick { thaw }
}

#[system(Game)]
fn thaw(frozen: &mut Frozen) {
    let _ = frozen;
}

fn main() {}
