//! An aspect that is an enum.
use ecs::prelude::*;
use ecs::Aspect;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}

#[derive(Aspect)]
enum Monster {
    Rat(Health),
}

fn main() {}
