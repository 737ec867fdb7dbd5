//! The removed values of a component that does not keep them.
use ecs::prelude::*;

#[derive(Component, Clone)]
#[component(removed)]
struct Gold(u32);
#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Gold, Position } }
    schedule tick { watch }
}

#[system(Game)]
fn watch(removed: Removed<Position>) {
    let _ = removed;
}

fn main() {}
