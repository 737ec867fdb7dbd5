//! An index of a unique component.

use ecs::prelude::*;

#[derive(Component, PartialEq, Eq, Hash)]
#[component(unique, index)]
struct Crown(u32);

fn main() {}
