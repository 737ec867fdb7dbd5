//! What entities are found by is a field.

use ecs::prelude::*;

#[derive(Component)]
#[component(index = nam)]
struct Person {
    name: String,
}

fn main() {}
