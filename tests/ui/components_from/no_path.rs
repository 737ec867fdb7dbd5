//! A path without quotes.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    pub definitions,
}

fn main() {}
