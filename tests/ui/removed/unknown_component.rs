//! The removed values of a component that the world lacks.
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

#[derive(Component, Clone)]
#[component(removed)]
struct Mana(u32);

#[system(Game)]
fn watch(removed: Removed<Mana>) {
    let _ = removed;
}

fn main() {}
