//! Prefabs of a world that is not saved.
use ecs::prelude::*;
use ecs::{Aspect, Prefabs};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Default)]
struct Health(u32);

#[derive(Aspect)]
struct Monster {
    health: Health,
}

world! {
    struct Game {
        components { Health }
    }
}

fn main() {
    let _ = Prefabs::<Game>::new().aspect::<Monster>();
}
