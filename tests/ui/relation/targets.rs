//! Wrong lists of the components that targets of a relation have.
use ecs::prelude::*;

#[derive(Component)]
struct Health(u32);

#[derive(Relation)]
#[relation(exclusive, target(Health, Health))]
struct Attacks(Entity);

#[derive(Relation)]
#[relation(exclusive, target(Health), target(Health))]
struct Follows(Entity);

#[derive(Relation)]
#[relation(many, target)]
struct Owes(Entity);

#[derive(Relation)]
#[relation(many, target = Health)]
struct Likes(Entity);

#[derive(Relation)]
#[relation(exclusive, target())]
struct Guards(Entity);

#[derive(Relation)]
#[relation(exclusive, target(Leads))]
struct Leads(Entity);

#[derive(Relation, Clone)]
#[relation(exclusive, symmetric, target(Health))]
struct MarriedTo(Entity);

#[derive(Relation)]
#[relation(exclusive)]
struct Heals(#[relation(target(Health))] Entity);

fn main() {}
