//! A duplicate key.
use ecs::prelude::*;

components_from! {
    "definitions/key_twice.json",
}

fn main() {}
