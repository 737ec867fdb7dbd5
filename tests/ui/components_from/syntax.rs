//! A mistake in the syntax of a file.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/syntax.json",
}

fn main() {}
