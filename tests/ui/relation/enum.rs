use ecs::prelude::*;

#[derive(Relation)]
#[relation(exclusive)]
enum Feels {
    Love(Entity),
    Hate(Entity),
}

fn main() {}
