//! A query with an `Option` of a mutable borrow of a tag.
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
fn thaw(position: &mut Position, frozen: Option<&mut Frozen>) {
    position.0 += f32::from(u8::from(frozen.is_some()));
}

fn main() {}
