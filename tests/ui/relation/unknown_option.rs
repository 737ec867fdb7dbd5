use ecs::prelude::*;

#[derive(Relation)]
#[relation(exclusive, symetric)]
struct MarriedTo(Entity);

fn main() {}
