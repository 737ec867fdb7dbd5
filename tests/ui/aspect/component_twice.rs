//! An aspect with two fields of one component.
use ecs::prelude::*;
use ecs::Aspect;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}

#[derive(Aspect)]
struct Monster {
    life: Health,
    health: Health,
}

fn main() {}
