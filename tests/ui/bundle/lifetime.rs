//! A bundle that borrows.
use ecs::prelude::*;

#[derive(Component)]
struct Health(u32);

#[derive(Bundle)]
struct Monster<'a> {
    health: &'a Health,
}

fn main() {}
