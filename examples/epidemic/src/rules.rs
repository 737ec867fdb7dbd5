//! The rules of the epidemic, without a library: `model.rs` applies them in systems, `arrays.rs` to
//! hand-written arrays, and so do the benchmarks.
//!
//! All numbers are integers, and what is random is a hash of an agent's id and the tick, so that
//! the result does not depend on the order of agents.

use serde::{Deserialize, Serialize};

/// The steps of a coordinate within a cell: a distance of one cell, at which agents can infect each
/// other.
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

/// A place on the torus, in steps.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Point {
    pub x: u32,
    pub y: u32,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub enum Illness {
    Susceptible,
    Infectious { until: u32 },
    Recovered,
}

impl Illness {
    /// The number of the kind: 0 susceptible, 1 infectious, 2 recovered.
    pub fn index(&self) -> usize {
        match self {
            Self::Susceptible => 0,
            Self::Infectious { .. } => 1,
            Self::Recovered => 2,
        }
    }

    pub fn is_infectious(&self) -> bool {
        matches!(self, Self::Infectious { .. })
    }
}

/// The points of infectious agents, sorted by cell: made anew in each tick.
#[derive(Clone, Default, Debug)]
pub struct Contacts {
    /// For each cell the end of its points in `points`, and in front of them a 0.
    ends: Vec<u32>,
    points: Vec<Point>,
    cells: Vec<u32>,
    unsorted: Vec<Point>,
}

/// The number of cells in a row, and of rows, for a number of agents.
pub fn side(agents: u64) -> u32 {
    ((agents as f64 / DENSITY).sqrt().ceil() as u32).clamp(4, 16_384)
}

/// The point and the health of an agent in the beginning.
pub fn start(seed: u64, id: u64, side: u32) -> (Point, Illness) {
    let random = random(seed, id, 0, 0);
    let edge = u64::from(side * CELL);
    let coordinate = |random: u64| (((random & 0xffff_ffff) * edge) >> 32) as u32;
    let point = Point { x: coordinate(random), y: coordinate(random >> 32) };
    let ill = id.is_multiple_of(FIRST);
    (point, if ill { Illness::Infectious { until: ILL } } else { Illness::Susceptible })
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
pub fn cell(point: Point, side: u32) -> u32 {
    point.y / CELL * side + point.x / CELL
}

impl Contacts {
    /// Sorts the points of infectious agents by cell.
    pub fn sort(&mut self, points: impl Iterator<Item = Point>, side: u32) {
        let count = (side * side) as usize;
        self.ends.clear();
        self.ends.resize(count + 1, 0);
        self.unsorted.clear();
        self.cells.clear();
        for point in points {
            let cell = cell(point, side);
            self.ends[cell as usize] += 1;
            self.cells.push(cell);
            self.unsorted.push(point);
        }
        let mut end = 0;
        for count in &mut self.ends {
            end += *count;
            *count = end;
        }
        self.points.resize(self.unsorted.len(), Point { x: 0, y: 0 });
        // each end becomes the beginning, which is the end of the cell before
        for (&cell, &point) in self.cells.iter().zip(&self.unsorted) {
            let end = &mut self.ends[cell as usize];
            *end -= 1;
            self.points[*end as usize] = point;
        }
    }

    #[inline]
    fn between(&self, first: u32, last: u32) -> &[Point] {
        &self.points[self.ends[first as usize] as usize..self.ends[last as usize + 1] as usize]
    }

    /// The number of infectious agents within the distance of a cell.
    #[inline]
    pub fn count(&self, at: Point, side: u32) -> u32 {
        let (column, row) = (at.x / CELL, at.y / CELL);
        let mut contacts = 0;
        let edge = side * CELL;
        let mut count = |points: &[Point]| {
            for other in points {
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
pub fn next_illness(now: Illness, contacts: impl FnOnce() -> u32, seed: u64, id: u64, tick: u32) -> Illness {
    match now {
        Illness::Susceptible => {
            let ill =
                (0..contacts()).any(|contact| (random(seed, id, tick, 2 + u64::from(contact)) as u32) < RISK);
            if ill { Illness::Infectious { until: tick + ILL } } else { now }
        }
        Illness::Infectious { until } if until <= tick => Illness::Recovered,
        _ => now,
    }
}

/// The point of an agent after a tick.
#[inline]
pub fn next_point(at: Point, seed: u64, id: u64, tick: u32, side: u32) -> Point {
    // an agent walks in one direction for eight ticks
    let random = random(seed, id, tick / 8, 1);
    let edge = side * CELL;
    let step = |at: u32, random: u32| {
        let to = at + edge - STEP + ((u64::from(random) * u64::from(2 * STEP + 1)) >> 32) as u32;
        let to = if to >= edge { to - edge } else { to };
        if to >= edge { to - edge } else { to }
    };
    Point { x: step(at.x, random as u32), y: step(at.y, (random >> 32) as u32) }
}
