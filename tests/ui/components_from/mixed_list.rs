//! A list of values of different types.
use ecs::prelude::*;

components_from! {
    "definitions/mixed_list.json",
}

fn main() {}
