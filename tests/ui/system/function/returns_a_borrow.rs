//! A system that returns a borrow of the world.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { first }
}

#[system(Game)]
fn first<'w>(bodies: Query<'w, &'static Position>) -> Option<&'w Position> {
    bodies.into_iter().next()
}

fn main() {}
