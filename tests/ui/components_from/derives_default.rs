//! A derive of `Default`, which the expansion implements.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    #[derive(Clone, Default)]
    "definitions/derives_default.json",
}

fn main() {}
