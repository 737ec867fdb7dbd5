//! An entity in place of a relation to it.
use ecs::prelude::*;

world! {
    struct Town {
        components { ChildOf }
    }
}

fn main() {
    let mut town = Town::new();
    let (parent, child) = (town.spawn(()), town.spawn(()));
    town.relate(child, parent).unwrap();
}
