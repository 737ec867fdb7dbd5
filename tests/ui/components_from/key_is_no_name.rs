//! A key that cannot become the name of a field.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/key_is_no_name.json",
}

fn main() {}
