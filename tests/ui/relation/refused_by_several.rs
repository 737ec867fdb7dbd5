//! Several mistakes of one kind (relation) in one program.
use ecs::prelude::*;
use ecs::{ChildOf, Sources};

#[derive(Component, Default)]
#[component(unique)]
struct CleanUp;
#[derive(Relation)]
#[relation(exclusive, gone = mark(CleanUp))]
struct Attacks(Entity);
#[derive(Relation)]
#[relation(many, acyclic)]
struct DependsOn(Entity);
#[derive(Relation, Clone)]
#[relation(exclusive, symmetric, acyclic)]
struct MarriedTo(Entity);
#[derive(Component)]
struct Gold(u32);
#[derive(Component)]
struct Position(f32);
#[derive(Relation, Component)]
#[relation(exclusive)]
struct Likes(Entity);
#[derive(Relation)]
#[relation(exclusive)]
#[component(disables)]
struct CarriedBy(Entity);
#[derive(Relation)]
#[relation(exclusive)]
enum Feels {
    Love(Entity),
    Hate(Entity),
}
#[derive(Relation)]
#[relation(exclusive, many)]
struct Follows(Entity);
#[derive(Component, Default)]
struct Name;
#[derive(Relation)]
#[relation(many)]
#[component(requires(Name))]
struct Owes(Entity);
#[derive(Relation)]
#[relation(exclusive)]
#[component(unique)]
struct Commands(Entity);
#[derive(Relation)]
#[relation(exclusive, gone = despawn)]
struct PartOf(Entity);
#[derive(Relation)]
#[relation(many)]
struct TwoTargets {
    #[target]
    to: Entity,
    #[target]
    by: Entity,
}
#[derive(Relation)]
#[relation(exclusive)]
struct TargetIsNoEntity(u32);

world! {
    struct Game { components { Attacks, CleanUp, ChildOf, Position, Likes } }
    schedule tick { adopt }
}

world! {
    struct Town { components { ChildOf, Gold } }
}

#[system(Game)]
fn adopt(families: Query<(Entity, Sources<ChildOf>)>, mut children: Storage<ChildOf>) {
    for (entity, sources) in &families {
        for &child in sources {
            let _ = (entity, children.remove(child));
        }
    }
}

// A child of a child without brackets.
fn child_without_brackets() {
    let mut town = Town::new();
    town.spawn_with_children(Gold(1), ChildOf, children![Gold(2) => [Gold(3)], Gold(4) => Gold(5)]);
}

// A child of a child without brackets.
fn children_without_brackets() {
    Town::new().spawn_with_children(Gold(1), ChildOf, children![Gold(2) => Gold(3)]);
}

fn main() {}
