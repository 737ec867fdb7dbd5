//! Game states.

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{IntoScheduleConfigs, ScheduleLabel, SingleThreadedExecutor};
use bevy_ecs::system::ScheduleSystem;
use bevy_state::prelude::*;
use bevy_state::state::{FreelyMutableState, StateTransition, StateTransitionEvent};

use super::systems;
use crate::harness::Suite;
use crate::workload::states;

#[derive(States, Default, Clone, PartialEq, Eq, Hash, Debug)]
enum Phase {
    #[default]
    Day,
    Night,
}
#[derive(Resource, Default)]
struct Entries {
    days: u64,
    nights: u64,
}

fn turn(phase: Res<'_, State<Phase>>, mut next: ResMut<'_, NextState<Phase>>) {
    next.set(match phase.get() {
        Phase::Day => Phase::Night,
        Phase::Night => Phase::Day,
    });
}

fn dawn(mut entries: ResMut<'_, Entries>) {
    entries.days += 1;
}

fn dusk(mut entries: ResMut<'_, Entries>) {
    entries.nights += 1;
}

/// A schedule with a label and one system, which the transition runs.
fn entry<M>(label: impl ScheduleLabel, system: impl IntoScheduleConfigs<ScheduleSystem, M>) -> Schedule {
    let mut schedule = Schedule::new(label);
    schedule.set_executor(SingleThreadedExecutor::new());
    schedule.add_systems(system);
    schedule
}

/// What `init_state` of an app does.
fn town() -> (World, Schedule) {
    let (mut world, mut schedule) = (World::new(), systems::schedule(false));
    bevy_state::state::setup_state_transitions_in_world(&mut world);
    world.init_resource::<State<Phase>>();
    world.init_resource::<NextState<Phase>>();
    world.init_resource::<Messages<StateTransitionEvent<Phase>>>();
    world.init_resource::<Entries>();
    world.schedule_scope(StateTransition, |_, transitions| {
        transitions.set_executor(SingleThreadedExecutor::new());
        Phase::register_state(transitions);
    });
    world.write_message(StateTransitionEvent {
        exited: None,
        entered: Some(Phase::Day),
        allow_same_state_transitions: true,
    });
    world.add_schedule(entry(OnEnter(Phase::Day), dawn));
    world.add_schedule(entry(OnEnter(Phase::Night), dusk));
    schedule.add_systems(turn);
    (world, schedule)
}

pub(super) fn cases(suite: &mut Suite) {
    suite.case(
        &states::TRANSITION,
        |_| town(),
        |(world, schedule)| {
            schedule.run(world);
            world.run_schedule(StateTransition);
            world.resource_mut::<Messages<StateTransitionEvent<Phase>>>().update();
        },
        |(world, _)| {
            let entries = world.resource::<Entries>();
            entries.days + 3 * entries.nights
        },
    );
}
