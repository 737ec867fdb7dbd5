//! `mut` at the beginning of a type within `<..>`. The parser of the compiler reports it, too.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(mut positions: Query<mut Position>) {
    for position in &mut positions {
        position.0 += 1.0;
    }
}

fn main() {}
