//! A component that is a union.
use ecs::prelude::*;

#[derive(Component)]
union Bits {
    whole: u32,
    real: f32,
}

fn main() {}
