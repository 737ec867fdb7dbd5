use ecs::Many;
use ecs::prelude::*;

#[derive(Relation)]
#[relation(many)]
struct Owes(Entity);

world! {
    struct Game { components { owes: Many<Owes> } }
    schedule tick { forgive }
}

#[system(Game)]
fn forgive(mut debts: Query<(Entity, &mut Many<Owes>)>) {
    debts.for_each(|_| {});
}

fn main() {}
