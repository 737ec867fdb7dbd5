//! A key that is there twice.
use ecs::prelude::*;

components_from! {
    "definitions/key_twice.json",
}

fn main() {}
