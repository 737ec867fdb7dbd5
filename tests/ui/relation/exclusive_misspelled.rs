//! A word of other libraries for the number of targets.
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
