use ecs::ChildOf;
use ecs::prelude::*;

world! {
    struct Game { components { ChildOf } }
    schedule tick { turn }
}

#[system(Game)]
fn turn(entity: Entity, mut parent: Mut<ChildOf>) {
    parent.0 = entity;
}

fn main() {}
