use ecs::{ChildOf, Sources};
use ecs::prelude::*;

world! {
    struct Game { components { ChildOf } }
    schedule tick { adopt }
}

#[system(Game)]
fn adopt(families: Query<(Entity, Sources<ChildOf>)>, mut children: Storage<ChildOf>) {
    for (entity, sources) in &families {
        for &child in sources {
            let _ = (entity, children.remove(child));
        }
    }
}

fn main() {}
