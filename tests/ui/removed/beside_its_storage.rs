//! The removed values of a component beside a storage that removes values.
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
fn watch(removed: Removed<Gold>, mut gold: Storage<Gold>) {
    for (entity, _) in { removed }.iter() {
        gold.remove(entity);
    }
}

fn main() {}
