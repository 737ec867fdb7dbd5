//! An aspect with two fields of one component, the second under another name.
use ecs::prelude::*;
use ecs::Aspect;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}

type Life = Health;

#[derive(Aspect)]
struct Monster {
    health: Health,
    life: Life,
}

fn main() {}
