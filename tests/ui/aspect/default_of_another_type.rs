//! A default of another type.
use ecs::prelude::*;
use ecs::Aspect;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}

#[derive(Aspect)]
struct Monster {
    #[aspect(default = 9)]
    health: Health,
}

fn main() {}
