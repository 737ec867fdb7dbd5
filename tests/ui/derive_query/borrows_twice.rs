//! A query struct that borrows a component twice.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Query)]
struct Mover<'a> {
    position: &'a mut Position,
    place: &'a Position,
}

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(mut movers: Query<Mover>) {
    movers.for_each(|mover| mover.position.0 += mover.place.0);
}

fn main() {}
