//! Two aspects in an aspect have the same component.
use ecs::prelude::*;
use ecs::Aspect;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(Component, Default)]
struct Speed(u32);

#[derive(Aspect)]
struct Body {
    health: Health,
}

#[derive(Aspect)]
struct Armour {
    speed: Speed,
    health: Health,
}

#[derive(Aspect)]
struct Monster {
    body: Body,
    armour: Armour,
}

fn main() {}
