//! A relation with an `Option` or a `Vec` for its target.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(Relation)]
#[relation(exclusive)]
struct Likes(Option<Entity>);

#[derive(Relation)]
#[relation(exclusive)]
struct Owes {
    to: Vec<Entity>,
}

world! {
    struct Game {
        components { Position, Likes, Owes }
    }
}

fn main() {}
