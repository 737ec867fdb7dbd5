//! `tracked` beside `key`, whose values cannot be changed in place.

use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, Hash)]
#[component(key, tracked)]
struct Seat(u32);

fn main() {}
