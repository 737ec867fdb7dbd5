//! A kind of casting whose meter that pays is also the one whose loss interrupts.
use ecs::prelude::*;
use ecs_mechanics::casting::{CastingKind, casting, run_casting};
use ecs_mechanics::clocks;
use ecs_mechanics::meters::{self, Health};
use ecs_mechanics::rooms::{self, InRoom};

struct Blood;

impl CastingKind for Blood {
    const NAME: &'static str = "blood magic";
    type Cost = Health;
    type Life = Health;
    type Position = InRoom;
    type Clock = clocks::Game;
}

world! {
    struct Castle {
        include clocks::clocks;
        include meters::health;
        include rooms::rooms;
        include casting::<Blood>;
    }
    schedule frame { include run_casting::<Blood> }
}

fn main() {}
