//! A file that is not text.
use ecs::prelude::*;

components_from! {
    "definitions/not_text.json",
}

fn main() {}
