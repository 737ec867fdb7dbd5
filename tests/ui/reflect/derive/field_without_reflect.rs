//! A field whose type has neither `Reflect` nor the traits of serde.
use ecs::prelude::*;

struct Sprite(u32);

#[derive(Component, Reflect)]
struct Look {
    sprite: Sprite,
    frames: Vec<u32>,
}

fn main() {}
