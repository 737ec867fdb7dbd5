//! An input of a system in the background.

use ecs::prelude::*;

#[derive(Component, Clone)]
struct Health(u32);

world! {
    #[derive(Clone)]
    struct Game { components { Health } }
    schedule tick { plan(3) }
}

#[system(Game, background(ticks = 2))]
fn plan(depth: In<u32>, healths: Query<&Health>) {
    let _ = (*depth, healths.len());
}

fn main() {}
