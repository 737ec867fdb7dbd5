//! Lists nested beyond the limit.
use ecs::prelude::*;

components_from! {
    "definitions/too_deep.json",
}

fn main() {}
