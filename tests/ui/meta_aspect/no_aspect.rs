//! An alternative that is neither an aspect nor a component.
use ecs::prelude::*;
use ecs::MetaAspect;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}

#[derive(MetaAspect)]
enum Mind {
    Strong(Health),
    Named(String),
}

fn main() {}
