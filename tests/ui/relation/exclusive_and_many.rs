use ecs::prelude::*;

#[derive(Relation)]
#[relation(exclusive, many)]
struct Follows(Entity);

fn main() {}
