//! A value of `index` that is no field.

use ecs::prelude::*;

#[derive(Component)]
#[component(index = "name")]
struct Person {
    name: String,
}

fn main() {}
