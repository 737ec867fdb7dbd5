//! Systems are types, and no values behind one type.
use ecs::prelude::*;

world! {
    struct Game { components {} }
}

struct Plugin {
    systems: Vec<Box<dyn System<Game>>>,
}

fn main() {}
