//! The epidemic: agents walk on a torus, and infectious ones infect susceptible ones that are near.
//!
//! All numbers are integers, and what is random is a hash of an agent's id and the tick, so that the result is the same for each number
//! of workers and threads.

use std::sync::Arc;

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_distributed::{GlobalId, Grid, Halo, Model, Part};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};
use serde::{Deserialize, Serialize};

/// The steps of a coordinate within a cell: a distance of one cell, at which agents can infect each other.
pub const CELL: u32 = 256;
/// The distance of a step in one tick.
const STEP: u32 = CELL / 8;
/// The ticks for which an agent is infectious.
const ILL: u32 = 14;
/// The probability to be infected by one contact in one tick, of 2^32.
const RISK: u32 = (0.09 * 4_294_967_296.0) as u32;
/// One agent of so many is infected in the beginning.
const FIRST: u64 = 2000;
/// The mean number of agents in a cell.
const DENSITY: f64 = 2.0;

#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Position {
    pub x: u32,
    pub y: u32,
}

#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum Health {
    Susceptible,
    Infectious { until: u32 },
    Recovered,
}

impl Health {
    /// The number of the kind: 0 susceptible, 1 infectious, 2 recovered.
    pub fn index(&self) -> usize {
        match self {
            Self::Susceptible => 0,
            Self::Infectious { .. } => 1,
            Self::Recovered => 2,
        }
    }
}

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

/// The positions of infectious agents, by cell: made anew in each tick.
#[derive(Resource, Clone, Default, Debug)]
#[resource(skip)]
pub struct Infectious {
    /// For each cell the end of its positions in `positions`, and in front of them a 0.
    ends: Vec<u32>,
    positions: Vec<Position>,
    cells: Vec<u32>,
    unsorted: Vec<Position>,
}

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

/// The finalizer of SplitMix64.
#[inline]
fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ bits >> 31
}

/// A number that looks random, for an agent in a tick.
#[inline]
fn random(seed: u64, id: u64, tick: u32, purpose: u64) -> u64 {
    mix(mix(id ^ seed) ^ (u64::from(tick) << 8 | purpose))
}

#[inline]
fn cell(position: Position, side: u32) -> u32 {
    position.y / CELL * side + position.x / CELL
}

impl Infectious {
    /// Sorts positions by cell.
    pub fn sort(&mut self, positions: impl Iterator<Item = Position>, side: u32) {
        let count = (side * side) as usize;
        self.ends.clear();
        self.ends.resize(count + 1, 0);
        self.unsorted.clear();
        self.cells.clear();
        for position in positions {
            let cell = cell(position, side);
            self.ends[cell as usize] += 1;
            self.cells.push(cell);
            self.unsorted.push(position);
        }
        let mut end = 0;
        for count in &mut self.ends {
            end += *count;
            *count = end;
        }
        self.positions.resize(self.unsorted.len(), Position { x: 0, y: 0 });
        // each end becomes the beginning, which is the end of the cell before
        for (&cell, &position) in self.cells.iter().zip(&self.unsorted) {
            let end = &mut self.ends[cell as usize];
            *end -= 1;
            self.positions[*end as usize] = position;
        }
    }

    #[inline]
    fn between(&self, first: u32, last: u32) -> &[Position] {
        &self.positions[self.ends[first as usize] as usize..self.ends[last as usize + 1] as usize]
    }

    /// The number of infectious agents within the distance of a cell.
    #[inline]
    pub fn contacts(&self, at: Position, side: u32) -> u32 {
        let (column, row) = (at.x / CELL, at.y / CELL);
        let mut contacts = 0;
        let edge = side * CELL;
        let mut count = |positions: &[Position]| {
            for other in positions {
                let distance = |a: u32, b: u32| {
                    let distance = a.abs_diff(b);
                    distance.min(edge - distance)
                };
                let (x, y) = (distance(at.x, other.x), distance(at.y, other.y));
                contacts += u32::from(x * x + y * y <= CELL * CELL);
            }
        };
        for row in [if row == 0 { side - 1 } else { row - 1 }, row, if row + 1 == side { 0 } else { row + 1 }]
        {
            let line = row * side;
            if column == 0 {
                count(self.between(line + side - 1, line + side - 1));
                count(self.between(line, line + 1));
            } else if column + 1 == side {
                count(self.between(line + column - 1, line + column));
                count(self.between(line, line));
            } else {
                count(self.between(line + column - 1, line + column + 1));
            }
        }
        contacts
    }
}

/// The health of an agent after a tick.
#[inline]
pub fn next_health(health: Health, contacts: impl FnOnce() -> u32, seed: u64, id: u64, tick: u32) -> Health {
    match health {
        Health::Susceptible => {
            let ill =
                (0..contacts()).any(|contact| (random(seed, id, tick, 2 + u64::from(contact)) as u32) < RISK);
            if ill { Health::Infectious { until: tick + ILL } } else { health }
        }
        Health::Infectious { until } if until <= tick => Health::Recovered,
        _ => health,
    }
}

/// The position of an agent after a tick.
#[inline]
pub fn next_position(at: Position, seed: u64, id: u64, tick: u32, side: u32) -> Position {
    // an agent walks in one direction for eight ticks
    let random = random(seed, id, tick / 8, 1);
    let edge = side * CELL;
    let step = |at: u32, random: u32| {
        let to = at + edge - STEP + ((u64::from(random) * u64::from(2 * STEP + 1)) >> 32) as u32;
        let to = if to >= edge { to - edge } else { to };
        if to >= edge { to - edge } else { to }
    };
    Position { x: step(at.x, random as u32), y: step(at.y, (random >> 32) as u32) }
}

#[system(City)]
fn find_infectious(
    mut agents: Query<(&Position, &Health)>,
    neighbours: Res<Neighbours>,
    clock: Res<Clock>,
    mut infectious: ResMut<Infectious>,
) {
    let ill = |health: &Health| matches!(health, Health::Infectious { .. });
    let own = agents.chunks().flat_map(|(positions, healths)| positions.iter().zip(healths));
    let own = own.filter(|(_, health)| ill(health)).map(|(&position, _)| position);
    let other =
        neighbours.iter().map(|mirror| &mirror.value).filter(|value| ill(&value.1)).map(|value| value.0);
    infectious.sort(own.chain(other), clock.side);
}

// The loops over slices are what an optimizing compiler makes most of: they are as fast as those over arrays.
#[system(City)]
fn infect(
    mut agents: Query<(&GlobalId, &Position, &mut Health)>,
    infectious: Res<Infectious>,
    clock: Res<Clock>,
    threads: Res<Threads>,
) {
    let (Clock { tick, seed, side }, infectious) = (*clock, &*infectious);
    let each = |(ids, positions, healths): (&[GlobalId], &[Position], &mut [Health])| {
        for ((id, &position), health) in ids.iter().zip(positions).zip(healths) {
            *health = next_health(*health, || infectious.contacts(position, side), seed, id.0, tick);
        }
    };
    match threads.several {
        true => agents.chunks().collect::<Vec<_>>().into_par_iter().for_each(each),
        false => agents.chunks().for_each(each),
    }
}

#[system(City)]
fn walk(mut agents: Query<(&GlobalId, &mut Position)>, clock: Res<Clock>, threads: Res<Threads>) {
    let Clock { tick, seed, side } = *clock;
    let each = |(ids, positions): (&[GlobalId], &mut [Position])| {
        for (id, position) in ids.iter().zip(positions) {
            *position = next_position(*position, seed, id.0, tick, side);
        }
    };
    match threads.several {
        true => agents.chunks().collect::<Vec<_>>().into_par_iter().for_each(each),
        false => agents.chunks().for_each(each),
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
        let side = ((agents as f64 / DENSITY).sqrt().ceil() as u32).clamp(4, 16_384);
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
        let edge = u64::from(self.side() * CELL);
        (0..self.agents).map(move |id| {
            let random = random(self.seed, id, 0, 0);
            let coordinate = |random: u64| (((random & 0xffff_ffff) * edge) >> 32) as u32;
            let position = Position { x: coordinate(random), y: coordinate(random >> 32) };
            let health = if id.is_multiple_of(FIRST) {
                Health::Infectious { until: ILL }
            } else {
                Health::Susceptible
            };
            (GlobalId(id), position, health)
        })
    }
}

impl Model for Epidemic {
    type World = City;
    type Place = Position;
    type Components = (GlobalId, Position, Health);
    type Halos = Neighbours;
    type Space = Grid;

    fn space(&self) -> &Grid {
        &self.grid
    }

    #[inline]
    fn place(&self, position: &Position) -> u32 {
        cell(*position, self.side())
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
        counts[health.index()] += 1;
    }
    counts
}
