//! A bundle that is an enum.
use ecs::prelude::*;

#[derive(Component)]
struct Health(u32);

#[derive(Bundle)]
enum Monster {
    Rat(Health),
}

fn main() {}
