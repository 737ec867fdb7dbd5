//! A file that does not exist.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/nowhere.json",
}

fn main() {}
