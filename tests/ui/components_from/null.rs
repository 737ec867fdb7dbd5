//! `null` as a default value.
use ecs::prelude::*;

components_from! {
    "definitions/null.json",
}

fn main() {}
