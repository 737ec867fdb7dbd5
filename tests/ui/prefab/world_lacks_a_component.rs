//! An aspect that files may name has a component that the world does not have.
use ecs::prelude::*;
use ecs::{Aspect, Prefabs};
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Default)]
struct Health(u32);
#[derive(Component, Serialize, Deserialize, Default)]
struct Speed(u32);

#[derive(Aspect)]
struct Monster {
    health: Health,
    speed: Speed,
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
