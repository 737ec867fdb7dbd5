//! A `type` that is not a string.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/type_is_no_string.json",
}

fn main() {}
