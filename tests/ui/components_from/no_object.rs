//! A definition that is no object.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/no_object.json",
}

fn main() {}
