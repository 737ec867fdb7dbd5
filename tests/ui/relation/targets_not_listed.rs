//! A component of targets that the world does not list.
use ecs::Many;
use ecs::prelude::*;

#[derive(Component)]
struct Health(u32);

#[derive(Relation)]
#[relation(exclusive, target(Health))]
struct Attacks(Entity);

#[derive(Relation)]
#[relation(many, target(Health))]
struct Owes(Entity);

world! {
    struct Game { components { Attacks } }
}

world! {
    struct Town { components { owes: Many<Owes> } }
}

fn main() {}
