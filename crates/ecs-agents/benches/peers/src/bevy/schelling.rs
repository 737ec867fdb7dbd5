//! Schelling: the agent of each cell is in a resource.

use bevy_ecs::prelude::*;
use ecs_agents::prelude::{Grid, Random};

use super::{Draws, Home, Shape, run};

#[derive(Component, PartialEq)]
struct Group(u8);
#[derive(Resource)]
struct Town {
    /// The agent of each cell.
    agents: Vec<Option<Entity>>,
    /// The agents in the order of their births.
    all: Vec<Entity>,
    needs: usize,
}

fn settle(
    mut homes: Query<&mut Home>,
    groups: Query<&Group>,
    (mut town, shape, mut draws): (ResMut<Town>, Res<Shape>, ResMut<Draws>),
) {
    let grid = shape.0;
    for agent in draws.0.shuffled(town.all.iter().copied()) {
        let (Ok(mut home), Ok(group)) = (homes.get_mut(agent), groups.get(agent)) else { continue };
        let near = grid.moore(home.0, 1).filter_map(|cell| groups.get(town.agents[grid.index(cell)]?).ok());
        if near.filter(|&other| other == group).count() < town.needs {
            let empty = loop {
                let cell = grid.random(&mut draws.0);
                if town.agents[grid.index(cell)].is_none() {
                    break cell;
                }
            };
            town.agents[grid.index(home.0)] = None;
            town.agents[grid.index(empty)] = Some(agent);
            home.0 = empty;
        }
    }
}

pub(crate) fn schelling(seed: u64, width: u32, agents: usize, needs: usize, steps: u32) -> Vec<u64> {
    let (grid, mut random, mut world) = (Grid::torus(width, width), Random::new(seed), World::new());
    let homes = random.shuffled(grid.cells());
    let mut town = Town { agents: vec![None; grid.len()], all: Vec::new(), needs };
    for (i, &home) in homes[..agents].iter().enumerate() {
        let agent = world.spawn((Home(home), Group((i % 2) as u8))).id();
        town.agents[grid.index(home)] = Some(agent);
        town.all.push(agent);
    }
    world.insert_resource(town);
    run(&mut world, grid, random, steps, settle);
    let town = world.resource::<Town>();
    town.all.iter().map(|&agent| grid.index(world.get::<Home>(agent).unwrap().0) as u64).collect()
}
