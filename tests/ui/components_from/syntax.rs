//! A mistake in the syntax of a file.
use ecs::prelude::*;

components_from! {
    "definitions/syntax.json",
}

fn main() {}
