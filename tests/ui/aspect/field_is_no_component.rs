//! A field of an aspect that is neither a component nor an aspect.
use ecs::prelude::*;
use ecs::Aspect;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}

#[derive(Aspect)]
struct Monster {
    health: Health,
    name: String,
}

fn main() {}
