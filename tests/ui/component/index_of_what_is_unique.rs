//! Of a unique component there is one.

use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, Hash)]
#[component(unique, index)]
struct Crown(u32);

fn main() {}
