//! A component whose removed values are kept, and that cannot be cloned.
use ecs::prelude::*;

#[derive(Component)]
#[component(removed)]
struct Gold(u32);

fn main() {}
