//! A list of objects with different keys.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/objects_with_different_keys.json",
}

fn main() {}
