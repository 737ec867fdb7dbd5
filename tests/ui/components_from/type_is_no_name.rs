//! A name that no type can have.
use ecs::prelude::*;

components_from! {
    "definitions/type_is_no_name.json",
}

fn main() {}
