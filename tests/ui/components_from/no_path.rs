//! A path without quotes.
use ecs::prelude::*;

components_from! {
    pub definitions,
}

fn main() {}
