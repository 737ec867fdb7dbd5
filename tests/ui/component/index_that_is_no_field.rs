//! Behind `index =` stands a field.

use ecs::prelude::*;

#[derive(Component)]
#[component(index = "name")]
struct Person {
    name: String,
}

fn main() {}
