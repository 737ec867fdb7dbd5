//! A `type` that cannot become the name of a struct.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/type_is_no_name.json",
}

fn main() {}
