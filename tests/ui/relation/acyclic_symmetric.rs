use ecs::prelude::*;

#[derive(Relation, Clone)]
#[relation(exclusive, symmetric, acyclic)]
struct MarriedTo(Entity);

fn main() {}
