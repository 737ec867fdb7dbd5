//! `Entered` by reference.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game { components { Position, Frozen } }
    schedule tick { watch }
}

#[system(Game)]
fn watch(entered: &Entered<With<Frozen>>) {
    let _ = entered;
}

fn main() {}
