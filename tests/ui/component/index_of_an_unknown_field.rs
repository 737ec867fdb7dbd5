//! An index by a field that does not exist.

use ecs::prelude::*;

#[derive(Component)]
#[component(index = nam)]
struct Person {
    name: String,
}

fn main() {}
