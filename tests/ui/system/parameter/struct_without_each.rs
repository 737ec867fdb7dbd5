//! A query struct as a parameter without `Each`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Query)]
struct Mover<'a> {
    position: &'a mut Position,
}

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(mover: Mover) {
    mover.position.0 += 1.0;
}

fn main() {}
