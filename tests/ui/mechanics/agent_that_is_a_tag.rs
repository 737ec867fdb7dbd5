//! A kind of behaviour trees whose agent, which the actions write, is a tag.
use ecs::prelude::*;
use ecs_mechanics::minds::tree::{
    Behaviour, BehaviourKind, BehaviourRefusal, BehaviourTrees, Status, tick_trees,
};

#[derive(Component)]
struct Orc;

struct Monster;

impl BehaviourKind for Monster {
    const NAME: &'static str = "monster";
    type Condition = u32;
    type Action = u32;
    type Agent = Orc;

    fn holds(_: &u32, _: &Orc) -> bool {
        true
    }

    fn act(_: &u32, _: &mut Orc) -> Status {
        Status::Success
    }
}

world! {
    struct Castle {
        components { Orc, mind: Behaviour<Monster> }
        resources { trees: BehaviourTrees<Monster> }
        events { BehaviourRefusal(external) }
    }
    schedule turn { tick_trees::<Monster> }
}

fn main() {}
