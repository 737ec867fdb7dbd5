//! Several mistakes of one kind (relation) in one program: constants refuse them.
use ecs::prelude::*;
use ecs::{ChildOf, Sources};

#[derive(Component, Default)]
#[component(unique)]
struct CleanUp;
#[derive(Relation)]
#[relation(exclusive, gone = mark(CleanUp))]
struct Attacks(Entity);

world! {
    struct Game { components { Attacks, CleanUp, ChildOf } }
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
