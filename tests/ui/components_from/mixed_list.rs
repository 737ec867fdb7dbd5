//! A list of different things.
use ecs::prelude::*;

components_from! {
    "definitions/mixed_list.json",
}

fn main() {}
