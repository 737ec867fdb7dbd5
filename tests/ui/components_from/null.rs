//! `null` as a default value.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/null.json",
}

fn main() {}
