//! A definition without fields.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/no_schema.json",
}

fn main() {}
