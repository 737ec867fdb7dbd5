//! An attribute on a field that says nothing.
use ecs::prelude::*;

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
    #[aspect]
    body: Body,
}

fn main() {}
