//! A definition with a key that means nothing.
use ecs::prelude::*;

components_from! {
    "definitions/unknown_key.json",
}

fn main() {}
