//! Several mistakes of one kind (relation) in one program.
use ecs::prelude::*;
use ecs::{ChildOf, TargetOf};

#[derive(Component)]
struct Position(f32);
#[derive(Relation)]
#[relation(one)]
struct Likes(Entity);
#[derive(Relation)]
#[relation(single, gone = cascade)]
struct Owes(Entity);
#[derive(Component, Default)]
struct CleanUp;
#[derive(Relation)]
#[relation(exclusive, gone = mark)]
struct Attacks(Entity);
#[derive(Relation)]
#[relation(exclusive, gone = mark())]
struct Follows(Entity);
#[derive(Relation)]
#[relation(exclusive, gone = mark(CleanUp, CleanUp))]
struct Guards(Entity);
#[derive(Relation)]
#[relation(exclusive, gone = mark("CleanUp"))]
struct Holds(Entity);
#[derive(Relation)]
#[relation(exclusive, gone = mark(CleanUp(1)))]
struct Hears(Entity);
#[derive(Relation)]
#[relation(exclusive, symetric)]
struct MarriedTo(Entity);

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
