//! A relation marks with a component that has no default.
use ecs::prelude::*;

#[derive(Component)]
struct CleanUp(u32);

#[derive(Relation)]
#[relation(exclusive, gone = mark(CleanUp))]
struct Attacks(Entity);

world! {
    struct Game {
        components { Attacks, CleanUp }
    }
}

fn main() {}
