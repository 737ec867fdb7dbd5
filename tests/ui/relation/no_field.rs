use ecs::prelude::*;

#[derive(Relation)]
#[relation(exclusive)]
struct Follows;

fn main() {}
