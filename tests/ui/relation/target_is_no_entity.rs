use ecs::prelude::*;

#[derive(Relation)]
#[relation(exclusive)]
struct Follows(u32);

fn main() {}
