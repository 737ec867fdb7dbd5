//! A definition without fields.
use ecs::prelude::*;

components_from! {
    "definitions/no_schema.json",
}

fn main() {}
