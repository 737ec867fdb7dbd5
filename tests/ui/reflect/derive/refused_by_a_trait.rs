//! Several mistakes of one kind (reflect, derive) in one program: traits refuse them.
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

struct Sprite(u32);
#[derive(Component, Reflect)]
struct Look {
    sprite: Sprite,
    frames: Vec<u32>,
}
struct Fire;
#[derive(Component, Reflect)]
struct Resistance<T> {
    to: T,
    amount: f32,
}
struct Handle(u32);
#[derive(Component, Reflect)]
struct Sound {
    volume: f32,
    #[reflect(skip)]
    handle: Handle,
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Game { components { Resistance<Fire> } }
}

fn main() {}
