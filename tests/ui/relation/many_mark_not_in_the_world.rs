//! A relation of many targets marks with a component that the world does not list.
use ecs::Many;
use ecs::prelude::*;

#[derive(Component, Default)]
struct CleanUp;

#[derive(Relation)]
#[relation(many, gone = mark(CleanUp))]
struct Knows(Entity);

world! {
    struct Game {
        components { knows: Many<Knows> }
    }
}

fn main() {}
