//! A definition without a name.
use ecs::prelude::*;

components_from! {
    "definitions/no_type.json",
}

fn main() {}
