//! A number outside the range of its type.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/number_out_of_range.json",
}

fn main() {}
