//! A relation marks with a component that a second source would be refused.
use ecs::prelude::*;

#[derive(Component, Default)]
#[component(unique)]
struct CleanUp;

#[derive(Relation)]
#[relation(exclusive, gone = mark(CleanUp))]
struct Attacks(Entity);

world! {
    struct Game {
        components { Attacks, CleanUp }
    }
}

fn main() {}
