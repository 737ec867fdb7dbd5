//! An index of a tag, which has no value.

use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, Hash)]
#[component(index)]
struct Frozen;

fn main() {}
