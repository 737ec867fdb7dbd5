//! A relation marks with a component that the world does not list.
use ecs::prelude::*;

#[derive(Component, Default)]
struct CleanUp;

#[derive(Relation)]
#[relation(exclusive, gone = mark(CleanUp))]
struct Attacks(Entity);

world! {
    struct Game {
        components { Attacks }
    }
}

fn main() {}
