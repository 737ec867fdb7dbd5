//! A file that is not there.
use ecs::prelude::*;

components_from! {
    "definitions/nowhere.json",
}

fn main() {}
