use ecs::prelude::*;

#[derive(Relation)]
#[relation(exclusive, gone = despawn)]
struct PartOf(Entity);

fn main() {}
