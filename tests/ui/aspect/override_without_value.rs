//! An override without a value.
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
    #[aspect(.health.max)]
    body: Body,
}

fn main() {}
