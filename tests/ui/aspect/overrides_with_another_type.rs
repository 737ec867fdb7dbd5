//! An override with a value of another type.
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
    #[aspect(.health.max = "nine")]
    body: Body,
}

fn main() {}
