//! Alternatives that are a struct.
use ecs::prelude::*;
use ecs::MetaAspect;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}

#[derive(MetaAspect)]
struct Mind {
    health: Health,
}

fn main() {}
