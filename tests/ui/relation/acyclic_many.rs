use ecs::prelude::*;

#[derive(Relation)]
#[relation(many, acyclic)]
struct DependsOn(Entity);

fn main() {}
