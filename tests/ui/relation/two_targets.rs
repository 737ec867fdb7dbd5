use ecs::prelude::*;

#[derive(Relation)]
#[relation(many)]
struct Owes {
    #[target]
    to: Entity,
    #[target]
    by: Entity,
}

fn main() {}
