//! A policy with a value that it does not have.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(Relation)]
#[relation(exclusive, gone = cascade(Position))]
struct Likes(Entity);

world! {
    struct Game {
        components { Position, Likes }
    }
}

fn main() {}
