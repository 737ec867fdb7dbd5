use ecs::{ChildOf, TargetOf};
use ecs::prelude::*;

world! {
    struct Game { components { ChildOf } }
    schedule tick { adopt }
}

#[system(Game)]
fn adopt(parents: Query<Entity, TargetOf<ChildOf>>, mut children: Storage<ChildOf>) {
    for entity in &parents {
        let _ = children.remove(entity);
    }
}

fn main() {}
