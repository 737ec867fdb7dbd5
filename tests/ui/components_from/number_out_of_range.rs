//! A number outside the range of its type.
use ecs::prelude::*;

components_from! {
    "definitions/number_out_of_range.json",
}

fn main() {}
