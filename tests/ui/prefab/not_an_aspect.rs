//! A bundle in place of an aspect in the types that files may name.
use ecs::prelude::*;
use ecs::Prefabs;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Default)]
struct Health(u32);

#[derive(Bundle)]
struct Monster {
    health: Health,
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Game {
        components { Health }
    }
}

fn main() {
    let _ = Prefabs::<Game>::new().aspect::<Monster>();
}
