//! Lists in lists in lists.
use ecs::prelude::*;

components_from! {
    "definitions/too_deep.json",
}

fn main() {}
