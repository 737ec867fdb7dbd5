//! `derive(Component)` beside `derive(Relation)`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(Relation, Component)]
#[relation(exclusive)]
struct Likes(Entity);

world! {
    struct Game {
        components { Position, Likes }
    }
}

fn main() {}
