//! A tag has no value to be found by.

use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, Hash)]
#[component(index)]
struct Frozen;

fn main() {}
