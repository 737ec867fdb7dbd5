//! A `type` that is not a string.
use ecs::prelude::*;

components_from! {
    "definitions/type_is_no_string.json",
}

fn main() {}
