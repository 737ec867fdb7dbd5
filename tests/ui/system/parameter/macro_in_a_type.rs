//! A macro in a parameter's type, which the expansion would repeat.
use ecs::prelude::*;

macro_rules! place {
    () => {
        Position
    };
}

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(mut positions: Query<&mut place!()>) {
    for position in &mut positions {
        position.0 += 1.0;
    }
}

#[derive(Query)]
struct Mover<'a> {
    position: &'a mut place!(),
}

fn main() {}
