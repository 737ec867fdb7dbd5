//! The epidemic: agents walk on a torus, and infectious ones infect susceptible ones that are near.
//! What an agent does is in `rules.rs`.

use std::sync::Arc;

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_distributed::{GlobalId, Grid, Halo, Model, Part};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};

use crate::rules::{Contacts, Illness, Point, cell, next_illness, next_point, side, start};

#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Position(pub Point);

#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Health(pub Illness);

/// The number of the tick and the settings of the model, which all systems read.
#[derive(Resource, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Clock {
    pub tick: u32,
    seed: u64,
    /// The number of cells in a row, and of rows.
    side: u32,
}

/// Whether the world runs on several threads: set for each world, and not saved.
#[derive(Resource, Clone, Copy, Default, Debug)]
#[resource(skip)]
pub struct Threads {
    several: bool,
}

/// The agents of other workers, one cell away.
pub type Neighbours = Halo<(Position, Health), 1>;

/// The points of infectious agents, by cell: made anew in each tick.
#[derive(Resource, Clone, Default, Debug)]
#[resource(skip)]
pub struct Infectious(Contacts);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    pub struct City {
        components { GlobalId, Position, Health }
        resources {
            clock: Clock,
            threads: Threads = Threads::default(),
            infectious: Infectious = Infectious::default(),
            neighbours: Neighbours = Halo::new()
        }
    }
    schedule day { find_infectious; infect; walk; pass }
}

#[system(City)]
fn find_infectious(
    mut agents: Query<(&Position, &Health)>,
    neighbours: Res<Neighbours>,
    clock: Res<Clock>,
    mut infectious: ResMut<Infectious>,
) {
    let own = agents.chunks_mut().flat_map(|(positions, healths)| positions.iter().zip(healths));
    let own = own.filter(|(_, health)| health.0.is_infectious()).map(|(position, _)| position.0);
    let other = neighbours.iter().map(|mirror| &mirror.value);
    let other = other.filter(|(_, health)| health.0.is_infectious()).map(|(position, _)| position.0);
    infectious.0.sort(own.chain(other), clock.side);
}

// The loops over slices are what an optimizing compiler makes most of: they are as fast as those
// over arrays.
#[system(City)]
fn infect(
    mut agents: Query<(&GlobalId, &Position, &mut Health)>,
    infectious: Res<Infectious>,
    clock: Res<Clock>,
    threads: Res<Threads>,
) {
    let (Clock { tick, seed, side }, infectious) = (*clock, &*infectious);
    let each = |(ids, positions, healths): (&[GlobalId], &[Position], &mut [Health])| {
        for ((id, position), health) in ids.iter().zip(positions).zip(healths) {
            health.0 = next_illness(health.0, || infectious.0.count(position.0, side), seed, id.0, tick);
        }
    };
    match threads.several {
        true => agents.chunks_mut().collect::<Vec<_>>().into_par_iter().for_each(each),
        false => agents.chunks_mut().for_each(each),
    }
}

#[system(City)]
fn walk(mut agents: Query<(&GlobalId, &mut Position)>, clock: Res<Clock>, threads: Res<Threads>) {
    let Clock { tick, seed, side } = *clock;
    let each = |(ids, positions): (&[GlobalId], &mut [Position])| {
        for (id, position) in ids.iter().zip(positions) {
            position.0 = next_point(position.0, seed, id.0, tick, side);
        }
    };
    match threads.several {
        true => agents.chunks_mut().collect::<Vec<_>>().into_par_iter().for_each(each),
        false => agents.chunks_mut().for_each(each),
    }
}

#[system(City)]
fn pass(mut clock: ResMut<Clock>) {
    clock.tick += 1;
}

/// The epidemic as a model that can be divided: a place is a cell.
#[derive(Clone, Debug)]
pub struct Epidemic {
    pub agents: u64,
    pub seed: u64,
    grid: Grid,
    /// The agents in the beginning, if they are given.
    given: Option<Arc<Vec<(GlobalId, Position, Health)>>>,
    /// The threads of a worker, unless it has one.
    pub threads: Option<Arc<ThreadPool>>,
}

impl Epidemic {
    pub fn new(agents: u64, seed: u64, threads: usize) -> Result<Self, ThreadPoolBuildError> {
        let side = side(agents);
        let pool = || ThreadPoolBuilder::new().num_threads(threads).build().map(Arc::new);
        let threads = (threads > 1).then(pool).transpose()?;
        Ok(Self { agents, seed, grid: Grid::new(side, side).wrapping(), given: None, threads })
    }

    pub fn side(&self) -> u32 {
        self.grid.columns()
    }

    /// The same epidemic with other agents in the beginning.
    pub fn with_agents(self, agents: Vec<(GlobalId, Position, Health)>) -> Self {
        Self { given: Some(Arc::new(agents)), ..self }
    }

    /// The agents in the beginning.
    pub fn agents(&self) -> impl Iterator<Item = (GlobalId, Position, Health)> + '_ {
        (0..self.agents).map(|id| {
            let (point, illness) = start(self.seed, id, self.side());
            (GlobalId(id), Position(point), Health(illness))
        })
    }
}

impl Model for Epidemic {
    type World = City;
    type Place = Position;
    type Components = (GlobalId, Position, Health);
    type Shared = Neighbours;
    type Space = Grid;

    fn space(&self) -> &Grid {
        &self.grid
    }

    #[inline]
    fn place(&self, position: &Position) -> u32 {
        cell(position.0, self.side())
    }

    fn build(&self, part: &Part<'_>) -> City {
        let mut city = City::new(Clock { tick: 0, seed: self.seed, side: self.side() });
        let owns = |(_, position, _): &(GlobalId, Position, Health)| part.owns(self.place(position));
        match &self.given {
            Some(agents) => drop(city.spawn_batch(agents.iter().copied().filter(owns))),
            None => drop(city.spawn_batch(self.agents().filter(owns))),
        }
        city
    }

    fn prepare(&self, city: &mut City) {
        city.resource_mut::<Threads>().several = self.threads.is_some();
        if self.threads.is_none() {
            city.set_parallelism(Parallelism::Never);
        }
    }

    fn tick(&self, city: &mut City) {
        match &self.threads {
            Some(threads) => threads.install(|| city.day()),
            None => city.day(),
        }
    }
}

/// The numbers of agents by health.
pub fn count(city: &City) -> [u64; 3] {
    let mut counts = [0; 3];
    for health in city.query::<&Health>() {
        counts[health.0.index()] += 1;
    }
    counts
}
