//! A component where `Entered` takes a filter.
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
fn watch(entered: Entered<Frozen>) {
    let _ = entered;
}

fn main() {}
