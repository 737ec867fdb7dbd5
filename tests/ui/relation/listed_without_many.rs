use ecs::prelude::*;

#[derive(Relation)]
#[relation(many)]
struct Owes(Entity);

world! {
    struct Game { components { Owes } }
}

fn main() {}
