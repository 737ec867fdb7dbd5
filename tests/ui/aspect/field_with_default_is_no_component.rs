//! A field with a `default` whose type is no component.
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
    #[aspect(default = String::from("rat"))]
    name: String,
}

fn main() {}
