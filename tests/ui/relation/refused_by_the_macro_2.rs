//! Several mistakes of one kind (relation) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Relation)]
#[relation(exclusive)]
struct Follows;
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
    struct Game { components { Position, Likes, Owes } }
}

fn main() {}
