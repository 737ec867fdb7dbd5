//! Relations that may lead from an entity to itself, and may not.
use ecs::prelude::*;

#[derive(Relation, Clone)]
#[relation(exclusive, symmetric, to_self)]
struct MarriedTo(Entity);

#[derive(Relation)]
#[relation(exclusive, acyclic, to_self)]
struct PartOf(Entity);

#[derive(Relation)]
#[relation(many, to_itself)]
struct Likes(Entity);

fn main() {}
