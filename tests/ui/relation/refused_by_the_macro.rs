//! Several mistakes of one kind (relation) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Relation)]
struct Follows(Entity);
#[derive(Component)]
struct Position(f32);
#[derive(Relation)]
#[relation(exclusive, gone = cascade(Position))]
struct Likes(Entity);
#[derive(Relation)]
#[relation(many)]
struct Owes {
    to: Entity,
    amount: u32,
}

world! {
    struct Game { components { Position, Likes } }
}

fn main() {}
