//! Sugarscape, after Epstein and Axtell, "Growing artificial societies", 1996: agents look along the
//! four directions, go to the empty cell with the most sugar, and eat. Who starves or is old is
//! replaced by a new agent.

use ecs::prelude::*;
use ecs_agents::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, Copy)]
pub struct Agent {
    pub wealth: i32,
    pub vision: i32,
    pub hunger: i32,
    pub years: u32,
}

/// The cell of an agent. The layer has who is where: all agents move in each step, and ask only
/// whether a cell is taken.
#[derive(Component, Serialize, Deserialize, Clone, Copy)]
pub struct Home(pub Cell);

#[derive(Serialize, Deserialize, Clone, Copy)]
pub struct Place {
    pub sugar: u8,
    pub most: u8,
    pub taken: bool,
}

world! {
    #[derive(Serialize, Deserialize)]
    pub struct Land {
        include ecs_agents::random::random;
        components { Agent, Home }
        resources { land: Layer<Place> }
    }
    schedule step { include ecs_agents::random::next_step; grow; act }
}

#[system(Land)]
fn grow(mut land: ResMut<Layer<Place>>) {
    land.values_mut().iter_mut().for_each(|place| place.sugar = place.most.min(place.sugar + 1));
}

#[system(Land)]
fn act(
    (mut agents, ids): (Query<(&mut Home, &mut Agent)>, Query<Entity, With<Agent>>),
    (mut land, mut random): (ResMut<Layer<Place>>, ResMut<Random>),
) {
    let (grid, land) = (land.grid(), &mut *land);
    for id in random.shuffled(ids) {
        let Some((Home(home), agent)) = agents.get_mut(id) else { continue };
        let mut best = (land[*home].sugar, 0, *home);
        for distance in 1..=agent.vision {
            for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
                let Some(cell) = grid.step(*home, dx * distance, dy * distance) else { continue };
                if (land[cell].sugar, -distance) > (best.0, best.1) && !land[cell].taken {
                    best = (land[cell].sugar, -distance, cell);
                }
            }
        }
        let mut next = best.2;
        agent.wealth += i32::from(std::mem::take(&mut land[next].sugar)) - agent.hunger;
        agent.years = agent.years.saturating_sub(1);
        if agent.wealth < 0 || agent.years == 0 {
            *agent = Agent::random(&mut random);
            next = land.random_where(&mut *random, |place| !place.taken).unwrap_or(next);
        }
        (land[*home].taken, land[next].taken) = (false, true);
        *home = next;
    }
}

impl Agent {
    pub fn random(random: &mut Random) -> Self {
        Agent {
            wealth: random.random_range(5..=25),
            vision: random.random_range(1..=6),
            hunger: random.random_range(1..=4),
            years: random.random_range(60..=100),
        }
    }
}

/// The sugar that a cell can have: two hills.
pub fn most(grid: Grid, cell: Cell) -> u8 {
    let size = f64::from(grid.width());
    // not `hypot`, whose last bit is not the same on all machines
    let from = |x: f64, y: f64| -> f64 {
        let (x, y) = (f64::from(cell.x) / size - x, f64::from(cell.y) / size - y);
        (x * x + y * y).sqrt()
    };
    (4.0 - (from(0.25, 0.25).min(from(0.75, 0.75)) * 10.0).floor()).max(0.0) as u8
}

pub fn land(seed: u64, grid: Grid, agents: usize) -> Land {
    let mut random = Random::new(seed);
    let homes = random.shuffled(grid.cells());
    let agents: Vec<_> =
        homes[..agents].iter().map(|&home| (Home(home), Agent::random(&mut random))).collect();
    let mut places = Layer::from_fn(grid, |cell| {
        let most = most(grid, cell);
        Place { sugar: most, most, taken: false }
    });
    agents.iter().for_each(|(home, _)| places[home.0].taken = true);
    let mut land = Land::new(random, places);
    land.spawn_batch(agents);
    land
}
