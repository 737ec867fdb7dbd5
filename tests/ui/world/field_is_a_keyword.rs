//! A field that is called like a keyword.
use ecs::prelude::*;

#[derive(Component)]
struct Kind(u32);

world! {
    struct Game {
        components { type: Kind }
    }
}

fn main() {}
