//! A duplicate key.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/key_twice.json",
}

fn main() {}
