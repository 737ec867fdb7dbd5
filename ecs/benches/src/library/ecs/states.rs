//! Game states.

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs::state::{entered, transition};

use crate::harness::Suite;
use crate::workload::states;

#[derive(States)]
enum Phase {
    Day,
    Night,
}
#[derive(Resource, Default)]
struct Entries {
    days: u64,
    nights: u64,
}

world! {
    struct Town { resources { State<Phase> = State::new(Phase::Day), Entries = Entries::default() } }
    schedule tick {
        turn;
        transition::<Phase>;
        dawn if entered::<phase::Day>;
        dusk if entered::<phase::Night>;
    }
}

#[system(Town)]
fn turn(mut phase: ResMut<'_, State<Phase>>) {
    let next = match phase.get() {
        Phase::Day => Phase::Night,
        Phase::Night => Phase::Day,
    };
    phase.set(next).expect("each leads to the other");
}

#[system(Town)]
fn dawn(mut entries: ResMut<'_, Entries>) {
    entries.days += 1;
}

#[system(Town)]
fn dusk(mut entries: ResMut<'_, Entries>) {
    entries.nights += 1;
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(
        &states::TRANSITION,
        |_| {
            let mut town = Town::new();
            town.set_parallelism(Parallelism::Never);
            town
        },
        Town::tick,
        |town| {
            let entries = town.resource::<Entries>();
            entries.days + 3 * entries.nights
        },
    );
}
