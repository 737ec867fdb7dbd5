//! A reference that a system keeps in a `Local`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { remember }
}

#[system(Game)]
fn remember(bodies: Query<&Position>, mut last: Local<Option<&'static Position>>) {
    *last = bodies.into_iter().last();
}

fn main() {}
