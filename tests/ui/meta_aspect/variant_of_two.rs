//! An alternative that holds two components instead of an aspect.
use ecs::prelude::*;
use ecs::MetaAspect;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(Component, Default)]
struct Speed(u32);

#[derive(MetaAspect)]
enum Mind {
    Fast(Health, Speed),
    Slow(Health),
}

fn main() {}
