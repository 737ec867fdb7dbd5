//! A schema that is no object.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/schema_is_no_object.json",
}

fn main() {}
