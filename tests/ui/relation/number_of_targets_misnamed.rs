//! The number of targets under another name, which is all that is said.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

#[derive(Relation)]
#[relation(one)]
struct Likes(Entity);

#[derive(Relation)]
#[relation(single, gone = cascade)]
struct Owes(Entity);

fn main() {}
