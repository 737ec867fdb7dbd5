use ecs::prelude::*;

#[derive(Relation)]
struct Follows(Entity);

fn main() {}
