//! An override of a field that the inner aspect does not have.
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
    #[aspect(.helth.max = 9)]
    body: Body,
}

fn main() {}
