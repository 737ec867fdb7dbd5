use ecs::prelude::*;

#[derive(Relation)]
#[relation(many)]
struct Owes {
    to: Entity,
    amount: u32,
}

fn main() {}
