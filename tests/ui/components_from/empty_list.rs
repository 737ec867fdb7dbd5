//! A list without a value.
use ecs::prelude::*;

components_from! {
    "definitions/empty_list.json",
}

fn main() {}
