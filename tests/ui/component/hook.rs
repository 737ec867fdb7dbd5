//! Hooks as options of other libraries.
use ecs::prelude::*;

#[derive(Component)]
#[component(on_add = hello)]
struct Position(f32);

fn hello() {}

world! {
    struct Game {
        components { Position }
    }
}

fn main() {}
