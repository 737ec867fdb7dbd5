//! [`Partition`]: the places of each worker.
//!
//! An entity has a key: its place, and below it 32 bits of a hash of its id. Each worker owns a range
//! of keys. A range that begins within a place divides the entities there by their ids.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::GlobalId;
use crate::global_id::mix;

/// The number of bits of a key below the place.
const BITS: u32 = 32;

/// The key of an entity.
pub(crate) fn key_of(place: u32, id: Option<&GlobalId>) -> u64 {
    first_key(place) | id.map_or(0, |id| mix(id.0) >> BITS)
}

/// The first key of a place.
pub(crate) fn first_key(place: u32) -> u64 {
    u64::from(place) << BITS
}

/// The places of each worker: a range of numbers. Two workers that follow each other may have parts
/// of one place, if the model [allows that](crate::Model::DIVIDES_PLACES).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Partition {
    /// The first key of each worker, and the key after the last one.
    starts: Vec<u64>,
}

/// Keys, and how much work their entities are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) weight: u64,
}

impl Partition {
    /// Ranges of equal numbers of places.
    pub(crate) fn equal(places: u32, workers: usize) -> Self {
        let start = |worker: usize| (u64::from(places) * worker as u64 / workers as u64) << BITS;
        Self { starts: (0..=workers).map(start).collect() }
    }

    /// The first key of each worker, and the key after the last one, that were read: see
    /// [`fits`](Self::fits).
    pub(crate) fn from_starts(starts: Vec<u64>) -> Self {
        Self { starts }
    }

    /// Ranges with about equal weights, and the largest weight of a worker. The runs have all keys, in
    /// their order. With `divides`, a heavy place may be divided.
    pub(crate) fn balanced(runs: &[Run], workers: usize, divides: bool) -> (Self, u64) {
        let total: u64 = runs.iter().map(|run| run.weight).sum();
        let mut starts = vec![0];
        let (mut largest, mut last, mut sum, mut at) = (0, 0, 0, 0);
        for worker in 1..workers {
            let goal = (u128::from(total) * worker as u128 / workers as u128) as u64;
            while runs.get(at).is_some_and(|run| sum + run.weight <= goal) {
                sum += runs[at].weight;
                at += 1;
            }
            let Some(run) = runs.get(at) else {
                starts.push(runs.last().map_or(0, |run| run.end));
                continue;
            };
            // the goal is within this run
            let rest = goal - sum;
            let is_heavy = u128::from(run.weight) * workers as u128 * 32 > u128::from(total);
            let (start, weight) = if divides && is_heavy && run.start >> BITS == (run.end - 1) >> BITS {
                let keys = u128::from(run.end - run.start) * u128::from(rest) / u128::from(run.weight);
                (run.start + keys as u64, rest)
            } else if rest < run.weight - rest {
                (run.start, 0)
            } else {
                (run.end, run.weight)
            };
            starts.push(start);
            largest = largest.max(sum + weight - last);
            last = sum + weight;
        }
        starts.push(runs.last().map_or(0, |run| run.end));
        (Self { starts }, largest.max(total - last))
    }

    /// The number of workers.
    pub fn workers(&self) -> usize {
        self.starts.len() - 1
    }

    /// The places of a worker, also those of which it has a part.
    ///
    /// # Panics
    /// If there is no worker of this number.
    pub fn of(&self, worker: usize) -> Range<u32> {
        let Range { start, end } = self.keys(worker);
        let first = (start >> BITS) as u32;
        if start == end { first..first } else { first..((end - 1) >> BITS) as u32 + 1 }
    }

    /// The places that a worker owns alone.
    pub(crate) fn whole(&self, worker: usize) -> Range<u32> {
        let Range { start, end } = self.keys(worker);
        let (first, last) = (start.div_ceil(1 << BITS) as u32, (end >> BITS) as u32);
        first.min(last)..last
    }

    /// The keys of a worker.
    pub(crate) fn keys(&self, worker: usize) -> Range<u64> {
        self.starts[worker]..self.starts[worker + 1]
    }

    /// The worker that owns a place; of a place that is divided, the first of its workers.
    pub fn owner(&self, place: u32) -> usize {
        self.owner_of(first_key(place))
    }

    /// The workers that own a place, or parts of it.
    pub(crate) fn owners(&self, place: u32) -> impl Iterator<Item = usize> {
        let last = self.owner_of(first_key(place) | ((1 << BITS) - 1));
        (self.owner(place)..=last).filter(|&worker| !self.keys(worker).is_empty())
    }

    /// The worker that owns a key.
    pub(crate) fn owner_of(&self, key: u64) -> usize {
        // the ranges of workers without keys are empty, and the last worker that begins at or before
        // the key is its owner
        self.starts[1..].partition_point(|&start| start <= key).min(self.workers() - 1)
    }

    /// Whether no place is divided.
    pub(crate) fn is_whole(&self) -> bool {
        self.starts.iter().all(|start| start.trailing_zeros() >= BITS)
    }

    /// Whether the ranges are in order and cover all places, for a partition that was read.
    pub(crate) fn fits(&self, places: u32, workers: usize) -> bool {
        self.starts.len() == workers + 1
            && self.starts.first() == Some(&0)
            && self.starts.last() == Some(&first_key(places))
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
            assert!(partition.fits(places, workers) && partition.is_whole());
            for place in 0..places {
                let owner = partition.owner(place);
                assert!(partition.of(owner).contains(&place), "{partition:?} {place}");
                assert!(partition.whole(owner).contains(&place), "{partition:?} {place}");
                assert!(partition.owners(place).eq([owner]), "{partition:?} {place}");
            }
        }
    }

    #[test]
    fn each_key_of_a_divided_place_has_one_owner() {
        let part = |place: u64, quarters: u64| (place << BITS) + (quarters << (BITS - 2));
        let starts = vec![0, part(2, 1), part(2, 1), part(2, 3), part(4, 2), part(6, 0)];
        let partition = Partition::from_starts(starts);
        assert!(partition.fits(6, 5) && !partition.is_whole());
        let ranges: Vec<_> = (0..5).map(|worker| (partition.of(worker), partition.whole(worker))).collect();
        assert_eq!(ranges, [(0..3, 0..2), (2..2, 2..2), (2..3, 2..2), (2..5, 3..4), (4..6, 5..6)]);
        let owners: Vec<Vec<usize>> = (0..6).map(|place| partition.owners(place).collect()).collect();
        assert_eq!(owners, [vec![0], vec![0], vec![0, 2, 3], vec![3], vec![3, 4], vec![4]]);
        for id in 0..100 {
            let owner = partition.owner_of(key_of(2, Some(&GlobalId(id))));
            assert!(owners[2].contains(&owner));
        }
    }

    /// A run for each place.
    fn runs(weights: &[u64]) -> Vec<Run> {
        let run = |(place, &weight): (usize, &u64)| {
            let start = first_key(place as u32);
            Run { start, end: start + (1 << BITS), weight }
        };
        weights.iter().enumerate().map(run).collect()
    }

    #[test]
    fn balanced_ranges_have_equal_weights() {
        let weights: Vec<u64> = (0..1000).map(|place| if place < 100 { 90 } else { 10 }).collect();
        for divides in [false, true] {
            let (partition, largest) = Partition::balanced(&runs(&weights), 4, divides);
            assert!(partition.fits(1000, 4) && partition.is_whole());
            assert!(largest <= 18_000 / 4 + 90);
            let sums = (0..4).map(|worker| partition.of(worker).map(|place| weights[place as usize]).sum());
            assert_eq!(sums.max(), Some(largest));
        }
        let (empty, _) = Partition::balanced(&runs(&[0, 0, 0]), 2, true);
        assert!(empty.fits(3, 2));
    }

    #[test]
    fn a_heavy_place_is_divided_if_the_model_allows_it() {
        let runs = runs(&[0, 100, 0]);
        let (one, largest) = Partition::balanced(&runs, 3, false);
        assert!(one.fits(3, 3) && largest == 100 && one.is_whole());
        let (divided, largest) = Partition::balanced(&runs, 4, true);
        assert!(divided.fits(3, 4) && largest == 25);
        assert!(divided.owners(1).eq(0..4) && divided.owners(0).eq([0]) && divided.owners(2).eq([3]));
    }
}
