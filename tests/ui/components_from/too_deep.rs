//! Lists nested beyond the limit.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/too_deep.json",
}

fn main() {}
