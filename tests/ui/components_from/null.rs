//! A field that begins with nothing.
use ecs::prelude::*;

components_from! {
    "definitions/null.json",
}

fn main() {}
