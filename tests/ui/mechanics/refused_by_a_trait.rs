//! Several mistakes of one kind (mechanics) in one program: traits refuse them.
use ecs::prelude::*;
use ecs_mechanics::casting::CastingKind;
use ecs_mechanics::clocks;
use ecs_mechanics::meters::Health;
use ecs_mechanics::minds::tree::{
    Behaviour, BehaviourKind, BehaviourRefusal, BehaviourTrees, Status, tick_trees,
};
use ecs_mechanics::rooms::InRoom;

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
struct Faith;
struct Prayer;
impl CastingKind for Prayer {
    const NAME: &'static str = "prayer";
    type Cost = Faith;
    type Life = Health;
    type Position = InRoom;
    type Clock = clocks::Game;
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
