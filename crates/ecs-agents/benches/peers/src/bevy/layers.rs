//! Models of a grid without agents: bevy_ecs has no grid, so that they are the arrays, written by
//! hand, in a resource.

use bevy_ecs::prelude::*;

use super::schedule;
use crate::arrays;

#[derive(Resource)]
struct Forest(arrays::fire::Forest);

pub(crate) fn fire(seed: u64, width: u32, density: f64, steps: u32) -> Vec<u64> {
    let mut world = World::new();
    world.insert_resource(Forest(arrays::fire::forest(seed, width as usize, density)));
    let mut schedule = schedule(|mut forest: ResMut<Forest>| forest.0.step());
    (0..steps).for_each(|_| schedule.run(&mut world));
    world.resource::<Forest>().0.trees.iter().map(|&tree| tree.into()).collect()
}

#[derive(Resource)]
struct Life(arrays::life::Life);

pub(crate) fn life(seed: u64, width: u32, steps: u32) -> Vec<u64> {
    let mut world = World::new();
    world.insert_resource(Life(arrays::life::life(seed, width as usize)));
    let mut schedule = schedule(|mut life: ResMut<Life>| life.0.step());
    (0..steps).for_each(|_| schedule.run(&mut world));
    world.resource::<Life>().0.cells.iter().map(|&alive| alive.into()).collect()
}
