//! A schema that is no object.
use ecs::prelude::*;

components_from! {
    "definitions/schema_is_no_object.json",
}

fn main() {}
