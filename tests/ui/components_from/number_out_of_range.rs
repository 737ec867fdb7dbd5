//! A number that does not fit.
use ecs::prelude::*;

components_from! {
    "definitions/number_out_of_range.json",
}

fn main() {}
