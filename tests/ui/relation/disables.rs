//! A relation that disables its sources.
use ecs::prelude::*;

#[derive(Relation)]
#[relation(exclusive)]
#[component(disables)]
struct CarriedBy(Entity);

fn main() {}
