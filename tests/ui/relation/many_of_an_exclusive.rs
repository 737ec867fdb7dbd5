//! A relation with one target, listed as `Many`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(Relation)]
#[relation(exclusive)]
struct Likes(Entity);

world! {
    struct Game {
        components { Position, likes: Many<Likes> }
    }
}

fn main() {}
