//! A child of a child without brackets.
use ecs::prelude::*;

#[derive(Component)]
struct Gold(u32);

world! {
    struct Town {
        components { ChildOf, Gold }
    }
}

fn main() {
    let mut town = Town::new();
    town.spawn_with_children(Gold(1), ChildOf, children![Gold(2) => [Gold(3)], Gold(4) => Gold(5)]);
}
