//! A field with an elided lifetime.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { show }
}

#[derive(Query)]
struct Seen {
    entity: Entity,
    position: &Position,
}

#[system(Game)]
fn show(seen: Query<Seen>) {
    let _ = seen;
}

fn main() {}
