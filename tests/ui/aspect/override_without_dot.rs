//! An override that does not begin with a dot.
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
    #[aspect(health.max = 9)]
    body: Body,
}

fn main() {}
