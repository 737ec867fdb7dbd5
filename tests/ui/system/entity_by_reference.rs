//! `Entity` by reference, which is taken by value.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

#[system(Game)]
fn show(entity: &Entity, position: &Position) {
    println!("{entity} {}", position.0);
}

fn main() {}
