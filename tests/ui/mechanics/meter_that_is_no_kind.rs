//! A kind of casting whose meter is a type that is no kind of meters.
use ecs_mechanics::casting::CastingKind;
use ecs_mechanics::clocks;
use ecs_mechanics::meters::Health;
use ecs_mechanics::rooms::InRoom;

struct Faith;

struct Prayer;

impl CastingKind for Prayer {
    const NAME: &'static str = "prayer";
    type Cost = Faith;
    type Life = Health;
    type Position = InRoom;
    type Clock = clocks::Game;
}

fn main() {}
