use ecs::prelude::*;

#[derive(Relation)]
#[relation(exclusive)]
#[component(unique)]
struct Commands(Entity);

fn main() {}
