//! A list of objects with different keys.
use ecs::prelude::*;

components_from! {
    "definitions/objects_with_different_keys.json",
}

fn main() {}
