use ecs::ChildOf;
use ecs::prelude::*;

world! {
    struct Game { components { ChildOf } }
    schedule tick { adopt }
}

#[system(Game)]
fn adopt(entity: Entity, parent: &mut ChildOf) {
    parent.0 = entity;
}

fn main() {}
