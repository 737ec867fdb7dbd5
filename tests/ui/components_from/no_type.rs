//! A definition without a name.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/no_type.json",
}

fn main() {}
