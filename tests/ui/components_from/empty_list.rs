//! An empty list as a default value.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/empty_list.json",
}

fn main() {}
