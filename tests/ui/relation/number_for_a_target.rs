//! A relation to what is no entity.
use ecs::prelude::*;

#[derive(Relation)]
#[relation(exclusive)]
struct Guards(u32);
#[derive(Relation)]
#[relation(many)]
struct Likes {
    #[target]
    name: String,
    count: u32,
}
struct Id(Entity);
#[derive(Relation)]
#[relation(exclusive)]
struct Wraps(Id);

world! {
    struct Town { components { Guards, likes: Many<Likes>, Wraps } }
}

fn main() {}
