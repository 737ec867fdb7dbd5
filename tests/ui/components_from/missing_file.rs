//! A file that does not exist.
use ecs::prelude::*;

components_from! {
    "definitions/nowhere.json",
}

fn main() {}
