//! A hook of a type that does not implement the trait.
use ecs::prelude::*;

#[derive(Component)]
#[component(hook = Load)]
struct Weight(u32);

#[derive(Clone, Default)]
struct Load {
    sum: u32,
}

world! {
    struct Ship {
        components { Weight }
    }
}

fn main() {}
