//! A child of a child without brackets.
use ecs::prelude::*;

#[derive(Component)]
struct Gold(u32);

world! {
    struct Town { components { Gold, ChildOf } }
}

fn main() {
    Town::new().spawn_with_children(Gold(1), ChildOf, children![Gold(2) => Gold(3)]);
}
