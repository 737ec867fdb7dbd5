//! Parameters with one column that would need those of the targets, and a relation as a component of
//! targets.
use ecs::prelude::*;

#[derive(Component)]
struct Health(u32);

#[derive(Relation)]
#[relation(exclusive, target(Health))]
struct Attacks(Entity);

#[derive(Relation)]
#[relation(exclusive, target(ChildOf))]
struct Follows(Entity);

world! {
    struct Game { components { Attacks, Health } }
    schedule tick { aim, strip }
}

world! {
    struct Town { components { ChildOf, Follows } }
}

#[system(Game)]
fn aim(all: Query<Entity>, mut attacks: Storage<Attacks>) {
    for entity in &all {
        let _ = attacks.remove(entity);
    }
}

#[system(Game)]
fn strip(all: Query<Entity>, mut healths: Storage<Health>) {
    for entity in &all {
        let _ = healths.remove(entity);
    }
}

fn main() {}
