//! A definition with an unknown key.
use ecs::prelude::*;

components_from! {
    "definitions/unknown_key.json",
}

fn main() {}
