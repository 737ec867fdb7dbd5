//! Options that would change nothing.
use ecs::prelude::*;

#[derive(Component, Reflect)]
struct Health {
    #[reflect(skip, rename = "shown_value")]
    shown: i32,
    #[reflect(skip, default)]
    cache: u8,
}

#[derive(Reflect)]
struct Pair(#[reflect(rename = "x")] f32, f32);

#[derive(Reflect)]
struct Meters(#[reflect(default)] f32);

fn main() {}
