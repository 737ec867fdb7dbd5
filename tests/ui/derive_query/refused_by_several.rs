//! Several mistakes of one kind (derive query) in one program.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Query)]
struct Mover<'a> {
    position: &'a mut Position,
    place: &'a Position,
}
#[derive(Query)]
struct Seen {
    entity: Entity,
    position: &Position,
}

world! {
    struct Game { components { Position } }
    schedule tick { movement, show }
}

// A query struct that borrows a component twice.
#[system(Game)]
fn movement(mut movers: Query<Mover>) {
    movers.for_each(|mover| mover.position.0 += mover.place.0);
}

// A field with an elided lifetime.
#[system(Game)]
fn show(seen: Query<Seen>) {
    let _ = seen;
}

fn main() {}
