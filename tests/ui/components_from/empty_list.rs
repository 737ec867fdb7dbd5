//! An empty list as a default value.
use ecs::prelude::*;

components_from! {
    "definitions/empty_list.json",
}

fn main() {}
