//! An alias of query data that borrows a component twice.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
type Body<'a> = (&'a mut Position, &'a Position);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(mut bodies: Query<Body>) {
    bodies.for_each(|(position, start)| position.0 -= start.0);
}

fn main() {}
