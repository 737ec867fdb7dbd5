//! A relation with `mark` of a unique component.
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
