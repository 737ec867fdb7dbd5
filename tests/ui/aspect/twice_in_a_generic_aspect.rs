//! An aspect of a generic aspect that has a component twice for these arguments.
use ecs::prelude::*;
use ecs::Aspect;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}

#[derive(Aspect)]
struct Pair<A, B> {
    left: A,
    right: B,
}

#[derive(Aspect)]
struct Monster {
    pair: Pair<Health, Health>,
}

fn main() {}
