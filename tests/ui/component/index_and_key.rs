//! `index` beside `key`, which implies an index.

use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, Hash)]
#[component(index, key)]
struct Seat(u32);

fn main() {}
