//! A filter of a component that the world lacks.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game {
        components { Position, Frozen }
    }
}

#[derive(Component)]
struct Mana;

#[system(Game)]
fn watch(exited: Exited<(With<Position>, Without<Mana>)>) {
    let _ = exited;
}

fn main() {}
