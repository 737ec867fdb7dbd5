//! An aspect that borrows.
use ecs::prelude::*;
use ecs::Aspect;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}

#[derive(Aspect)]
struct Monster<'a> {
    health: &'a Health,
}

fn main() {}
