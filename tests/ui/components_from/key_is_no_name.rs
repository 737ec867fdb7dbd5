//! A key that no field can have.
use ecs::prelude::*;

components_from! {
    "definitions/key_is_no_name.json",
}

fn main() {}
