//! A file that is not text.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/not_text.json",
}

fn main() {}
