//! A definition that is no object.
use ecs::prelude::*;

components_from! {
    "definitions/no_object.json",
}

fn main() {}
