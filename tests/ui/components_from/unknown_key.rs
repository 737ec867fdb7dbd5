//! A definition with an unknown key.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/unknown_key.json",
}

fn main() {}
