use ecs::prelude::*;

#[derive(Relation)]
#[relation(exclusive)]
#[component(tracked)]
struct Follows(Entity);

world! {
    struct Game { components { Follows } }
    schedule tick { turn }
}

#[system(Game)]
fn turn(entity: Entity, mut follows: Mut<Follows>) {
    follows.0 = entity;
}

fn main() {}
