//! A key has an index.

use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, Hash)]
#[component(index, key)]
struct Seat(u32);

fn main() {}
