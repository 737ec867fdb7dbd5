//! A list of values of different types.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/mixed_list.json",
}

fn main() {}
