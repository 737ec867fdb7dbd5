//! An override that a later override replaces.
use ecs::prelude::*;
use ecs::Aspect;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}

#[derive(Aspect)]
struct Body {
    health: Health,
}

#[derive(Aspect)]
struct Monster {
    #[aspect(.health.max = 9, .health = Health { now: 1, max: 1 })]
    body: Body,
}

fn main() {}
