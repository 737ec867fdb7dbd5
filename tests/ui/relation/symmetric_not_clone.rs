use ecs::prelude::*;

#[derive(Relation)]
#[relation(exclusive, symmetric)]
struct MarriedTo(Entity);

fn main() {}
