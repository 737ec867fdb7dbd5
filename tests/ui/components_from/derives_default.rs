//! Deriving what the file says.
use ecs::prelude::*;

components_from! {
    #[derive(Clone, Default)]
    "definitions/derives_default.json",
}

fn main() {}
