//! A derive of `Default`, which the expansion implements.
use ecs::prelude::*;

components_from! {
    #[derive(Clone, Default)]
    "definitions/derives_default.json",
}

fn main() {}
