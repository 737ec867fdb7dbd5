//! Two definitions that become one type.
use ecs::prelude::*;
use ecs::components_from;

components_from! {
    "definitions/two_of_one_name.json",
}

fn main() {}
