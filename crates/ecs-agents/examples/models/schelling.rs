//! Schelling's model of segregation: who has too few neighbours of its own group moves away.

use ecs::prelude::*;
use ecs_agents::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub struct Group(pub u8);

/// The number of neighbours of its own group that an agent needs to be happy.
#[derive(Resource, Serialize, Deserialize)]
pub struct Needs(pub usize);

world! {
    #[derive(Reflect, Serialize, Deserialize)]
    pub struct Town {
        include ecs_agents::random::random;
        components { SingleCell, Group }
        resources { Grid, Needs }
    }
    schedule step { include ecs_agents::random::next_step; settle }
}

/// Each agent in turn, in random order: who is not happy moves to an empty cell.
#[system(Town)]
fn settle(
    (mut cells, groups): (Storage<SingleCell>, Query<(Entity, &Group)>),
    (grid, needs, mut random): (Res<Grid>, Res<Needs>, ResMut<Random>),
) {
    for (agent, group) in random.shuffled(groups) {
        let (Some(&SingleCell(here)), agents) = (cells.get(agent), cells.hook_state()) else { continue };
        let near = grid.moore(here, 1).filter_map(|cell| groups.get(agents.one(cell)?));
        if near.filter(|(_, other)| *other == group).count() < needs.0 {
            let Some(empty) = grid.random_empty(&agents, &mut *random) else { return };
            cells.insert(agent, SingleCell(empty)).expect("the cell is empty");
        }
    }
}

/// A town in which every second agent is of group 0.
pub fn town(seed: u64, grid: Grid, agents: usize, needs: usize) -> Town {
    let mut random = Random::new(seed);
    let homes = random.shuffled(grid.cells());
    let mut town = Town::new(random, grid, Needs(needs));
    town.spawn_batch(
        homes[..agents].iter().enumerate().map(|(i, &home)| (SingleCell(home), Group((i % 2) as u8))),
    );
    town
}

/// The part of all neighbours that are of the same group.
pub fn segregation(town: &Town) -> f64 {
    let (cells, grid) = (ecs::system::HookState::<SingleCell>::of(town), town.resource::<Grid>());
    let (mut alike, mut all) = (0, 0);
    for (cell, group) in &town.query::<(&SingleCell, &Group)>() {
        let neighbours = grid.moore(cell.0, 1).filter_map(|cell| cells.one(cell));
        for other in neighbours.filter_map(|other| town.get::<Group>(other)) {
            alike += u32::from(other == group);
            all += 1;
        }
    }
    f64::from(alike) / f64::from(all)
}
