//! A key is not changed in place.

use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, Hash)]
#[component(key, tracked)]
struct Seat(u32);

fn main() {}
