//! A name that is no string.
use ecs::prelude::*;

components_from! {
    "definitions/type_is_no_string.json",
}

fn main() {}
