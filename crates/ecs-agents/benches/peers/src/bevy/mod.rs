//! The models on bevy_ecs, with grids that are resources, as its users write them.

pub(crate) mod flocking;
pub(crate) mod layers;
pub(crate) mod schelling;
pub(crate) mod sir;
pub(crate) mod sugarscape;
pub(crate) mod wolf_sheep;

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{IntoScheduleConfigs, Schedule, SingleThreadedExecutor};
use bevy_ecs::system::ScheduleSystem;
use ecs_agents::prelude::{Cell, Grid, Random};

#[derive(Resource)]
struct Draws(Random);
#[derive(Resource)]
struct Shape(Grid);
#[derive(Component)]
struct Home(Cell);

/// A schedule of systems, on one thread.
fn schedule<M>(systems: impl IntoScheduleConfigs<ScheduleSystem, M>) -> Schedule {
    let mut schedule = Schedule::default();
    schedule.set_executor(SingleThreadedExecutor::new()).add_systems(systems);
    schedule
}

fn run<M>(
    world: &mut World,
    grid: Grid,
    random: Random,
    steps: u32,
    systems: impl IntoScheduleConfigs<ScheduleSystem, M>,
) {
    world.insert_resource(Draws(random));
    world.insert_resource(Shape(grid));
    let mut schedule = schedule(systems);
    (0..steps).for_each(|_| schedule.run(world));
}
