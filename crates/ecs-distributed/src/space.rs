//! [`Space`]: the places of a model, and which of them are near to each other. [`Partition`]: the
//! places of each worker.

use serde::{Deserialize, Serialize};

/// The places of a model: the cells of a grid ([`Grid`]), or the nodes of any graph.
///
/// A worker owns a range of numbers of places. The fewer pairs of near places have distant numbers,
/// the less is mirrored.
pub trait Space {
    /// The number of places. They have the numbers 0, 1, ..
    fn places(&self) -> u32;

    /// Calls `f` with each place that is within `reach` of `place`. It may call `f` with `place`
    /// itself, and several times with one place. Nearness is mutual: if `a` is near `b`, then `b`
    /// is near `a`.
    fn near(&self, place: u32, reach: u32, f: &mut dyn FnMut(u32));
}

/// A grid of cells, numbered row by row. The cells within reach `n` of a cell are those at most `n`
/// columns and `n` rows away.
///
/// ```
/// use ecs_distributed::{Grid, Space};
///
/// let grid = Grid::new(4, 3);
/// let mut near = Vec::new();
/// grid.near(grid.cell(0, 1), 1, &mut |place| near.push(place));
/// assert_eq!(near, [0, 1, 4, 5, 8, 9]);
///
/// let torus = grid.wrapping();
/// near.clear();
/// torus.near(torus.cell(0, 0), 1, &mut |place| near.push(place));
/// near.sort();
/// assert_eq!(near, [0, 1, 3, 4, 5, 7, 8, 9, 11]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Grid {
    columns: u32,
    rows: u32,
    wraps: bool,
}

impl Grid {
    /// A grid of a number of columns and rows.
    ///
    /// # Panics
    /// If there are no cells, or 2³² or more.
    pub fn new(columns: u32, rows: u32) -> Self {
        let cells = columns.checked_mul(rows);
        assert!(cells.is_some_and(|cells| cells > 0), "a grid has at least one cell, and fewer than 2^32");
        Self { columns, rows, wraps: false }
    }

    /// The same grid, whose first column is near its last one, and whose first row is near its last
    /// one.
    #[must_use]
    pub fn wrapping(self) -> Self {
        Self { wraps: true, ..self }
    }

    /// The number of columns.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// The number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The number of the cell in a column and a row.
    #[inline]
    pub fn cell(&self, column: u32, row: u32) -> u32 {
        row * self.columns + column
    }

    /// The indices at most `reach` away from `at` in a line of `length` cells.
    fn line(&self, at: u32, length: u32, reach: u32) -> impl Iterator<Item = u32> + Clone + use<> {
        let (at, length, reach, wraps) = (i64::from(at), i64::from(length), i64::from(reach), self.wraps);
        let (from, to) = match wraps {
            true if 2 * reach + 1 < length => (at - reach, at + reach),
            true => (0, length - 1),
            false => ((at - reach).max(0), (at + reach).min(length - 1)),
        };
        (from..=to).map(move |at| at.rem_euclid(length) as u32)
    }
}

impl Space for Grid {
    fn places(&self) -> u32 {
        self.columns * self.rows
    }

    fn near(&self, place: u32, reach: u32, f: &mut dyn FnMut(u32)) {
        let columns = self.line(place % self.columns, self.columns, reach);
        for row in self.line(place / self.columns, self.rows, reach) {
            for column in columns.clone() {
                f(self.cell(column, row));
            }
        }
    }
}

/// The places of each worker: a range of numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Partition {
    /// The first place of each worker, and the number of places.
    starts: Vec<u32>,
}

impl Partition {
    /// Ranges of equal lengths.
    pub(crate) fn equal(places: u32, workers: usize) -> Self {
        let start = |worker: usize| (u64::from(places) * worker as u64 / workers as u64) as u32;
        Self { starts: (0..=workers).map(start).collect() }
    }

    /// The first place of each worker, and the number of places, that were read: see
    /// [`fits`](Self::fits).
    pub(crate) fn from_starts(starts: Vec<u32>) -> Self {
        Self { starts }
    }

    /// Ranges with about equal sums of `counts`, which has the number of entities in each place.
    pub(crate) fn balanced(counts: &[u32], workers: usize) -> Self {
        let total: u64 = counts.iter().copied().map(u64::from).sum();
        let mut starts = vec![0];
        let (mut sum, mut place) = (0, 0);
        for worker in 1..workers {
            let goal = (u128::from(total) * worker as u128 / workers as u128) as u64;
            // the half of a place that is nearer to the goal
            while place < counts.len() && sum + u64::from(counts[place]) / 2 < goal {
                sum += u64::from(counts[place]);
                place += 1;
            }
            starts.push(place as u32);
        }
        starts.push(counts.len() as u32);
        Self { starts }
    }

    /// The largest number of entities of a worker.
    pub(crate) fn largest(&self, counts: &[u32]) -> u64 {
        let sums = self
            .starts
            .windows(2)
            .map(|range| counts[range[0] as usize..range[1] as usize].iter().copied().map(u64::from).sum());
        sums.max().unwrap_or(0)
    }

    /// The number of workers.
    pub fn workers(&self) -> usize {
        self.starts.len() - 1
    }

    /// The places of a worker.
    ///
    /// # Panics
    /// If there is no worker of this number.
    pub fn of(&self, worker: usize) -> std::ops::Range<u32> {
        self.starts[worker]..self.starts[worker + 1]
    }

    /// The worker that owns a place.
    pub fn owner(&self, place: u32) -> usize {
        // the ranges of workers without places are empty, and the last worker that begins at or
        // before the place is its owner
        self.starts[1..].partition_point(|&start| start <= place).min(self.workers() - 1)
    }

    /// Whether the ranges are in order and cover all places, for a partition that was read.
    pub(crate) fn fits(&self, places: u32, workers: usize) -> bool {
        self.starts.len() == workers + 1
            && self.starts.first() == Some(&0)
            && self.starts.last() == Some(&places)
            && self.starts.is_sorted()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_has_one_owner() {
        for (places, workers) in [(1, 1), (1, 4), (10, 3), (100, 7), (3, 8)] {
            let partition = Partition::equal(places, workers);
            assert!(partition.fits(places, workers));
            for place in 0..places {
                assert!(partition.of(partition.owner(place)).contains(&place), "{partition:?} {place}");
            }
        }
    }

    #[test]
    fn balanced_ranges_have_equal_counts() {
        let counts: Vec<u32> = (0..1000).map(|place| if place < 100 { 90 } else { 10 }).collect();
        let partition = Partition::balanced(&counts, 4);
        assert!(partition.fits(1000, 4));
        assert!(partition.largest(&counts) <= 18_000 / 4 + 90);
        assert_eq!(Partition::balanced(&[0, 0, 0], 2).of(1).end, 3);
        let one = Partition::balanced(&[0, 100, 0], 3);
        assert!(one.fits(3, 3) && one.largest(&[0, 100, 0]) == 100);
    }
}
