//! The balance of loads: how much work the entities of each worker are, and a partition in which all
//! workers have about equally much.

use std::time::Duration;

use ecs::World;
use ecs::query::AllowDisabled;

use super::Worker;
use crate::partition::{Run, first_key};
use crate::step::Step;
use crate::wire::{read_number, write_number};
use crate::{Exchange, Model, Partition, RunError};

/// The runs of places into which a worker divides its load: its share can be cut between them.
const PIECES: u64 = 256;
/// The ticks for which loads stay as they are after a partition that is hardly better, or that was
/// made of measured times.
const PAUSE: u64 = 16;
/// The units in which a nanosecond counts, so that times of few nanoseconds can be divided.
const UNITS: u128 = 64;

/// The loads of the workers, and the settings of their balance.
#[derive(Debug)]
pub(super) struct Balance {
    /// The ticks between two comparisons; 0 for never.
    pub(super) interval: u64,
    /// Whether loads are times of ticks. Otherwise they are numbers of entities.
    pub(super) by_time: bool,
    /// The time of a tick of this worker in nanoseconds, as a moving average; 0 before the first
    /// tick with the present partition.
    time: u64,
    /// The loads of all workers, after entities have moved: all workers have the same.
    pub(super) loads: Vec<u64>,
    /// The tick before which nothing is balanced.
    not_before: u64,
}

impl Balance {
    pub(super) fn new(workers: usize) -> Self {
        Self { interval: 1, by_time: false, time: 0, loads: vec![0; workers], not_before: 0 }
    }

    pub(super) fn measure(&mut self, tick: Duration) {
        let now = u64::try_from(tick.as_nanos()).unwrap_or(u64::MAX).clamp(1, 1 << 36);
        self.time = if self.time == 0 { now } else { (3 * self.time + now) / 4 };
    }

    pub(super) fn is_due(&self, tick: u64) -> bool {
        self.interval > 0 && tick.is_multiple_of(self.interval) && tick >= self.not_before
    }

    /// The load of this worker if it is a time. All workers have measured one, or none has.
    pub(super) fn time(&self) -> Option<u64> {
        (self.by_time && self.time > 0).then_some(self.time)
    }

    /// Reads the head of a message of a worker, adds the loads in it, and returns the time of its
    /// systems; `None` if it is damaged.
    pub(super) fn read_loads(&mut self, from: usize, input: &mut &[u8]) -> Option<u64> {
        let (time, load) = (read_number(input)?, read_number(input)?);
        let mut add = |to: usize, load: u64| {
            let sum = self.loads.get_mut(to)?;
            *sum = sum.checked_add(load)?;
            Some(())
        };
        add(from, load)?;
        for _ in 0..read_number(input)? {
            add(usize::try_from(read_number(input)?).ok()?, read_number(input)?)?;
        }
        Some(time)
    }

    /// Whether the largest load is more than a tenth above the mean.
    fn is_uneven(&self) -> bool {
        let most = self.loads.iter().max().copied().unwrap_or(0);
        let sum: u128 = self.loads.iter().copied().map(u128::from).sum();
        u128::from(most) * self.loads.len() as u128 * 10 > sum * 11
    }
}

impl<M: Model, E: Exchange> Worker<M, E> {
    /// Divides the places anew if the loads are uneven.
    pub(super) fn balance_loads(&mut self) -> Result<(), RunError> {
        let (own, workers) = (self.exchange.index(), self.exchange.workers());
        if workers == 1 || !self.balance.is_uneven() {
            return Ok(());
        }
        let mut message = Vec::new();
        for run in self.runs()? {
            write_number(run.end - run.start, &mut message);
            write_number(run.weight, &mut message);
        }
        let received = self.exchange(Step::Weights, vec![message; workers])?;
        let (mut runs, mut most) = (Vec::new(), 0);
        for (from, message) in received.iter().enumerate() {
            let begin = runs.len();
            let read = read_runs(self.partition.keys(from), message, &mut runs);
            read.ok_or_else(|| RunError::damaged(from, "the weights of its places"))?;
            most = most.max(runs[begin..].iter().map(|run| run.weight).sum());
        }
        let (balanced, largest) = Partition::balanced(&runs, workers, M::DIVIDES_PLACES);
        // as good as it gets: a place is not divided
        if u128::from(largest) * 20 > u128::from(most) * 19 {
            self.balance.not_before = self.tick + PAUSE;
            return Ok(());
        }
        if self.balance.by_time {
            (self.balance.time, self.balance.not_before) = (0, self.tick + PAUSE);
        }
        self.partition = balanced;
        self.stats.rebalanced = true;
        for link in &mut self.links {
            link.reset(&self.model, &self.partition, own);
        }
        self.migrate()
    }

    /// The weights of the places of this worker, as runs of places with about equal weights.
    fn runs(&self) -> Result<Vec<Run>, RunError> {
        let (places, keys) =
            (self.partition.of(self.exchange.index()), self.partition.keys(self.exchange.index()));
        let mut counts = vec![0_u64; places.len()];
        for place in self.world.query::<&M::Place>().filter::<AllowDisabled>() {
            let place = self.model.place(place);
            let count = place.checked_sub(places.start).and_then(|at| counts.get_mut(at as usize));
            *count.ok_or_else(|| {
                let own = self.exchange.index();
                RunError::System(format!(
                    "an entity has place {place}, which worker {own} does not own: `Model::place` gives one number for one value"
                ))
            })? += 1;
        }
        // a measured time is divided among the entities
        let entities: u64 = counts.iter().sum();
        let time = self.balance.time().map(|time| u128::from(time) * UNITS);
        let weight = |count: u64| match time {
            None => count,
            Some(time) => (u128::from(count) * time / u128::from(entities.max(1))) as u64,
        };
        let limit = weight(entities) / PIECES;
        let mut runs: Vec<Run> = Vec::new();
        for (place, count) in places.zip(counts) {
            let (end, weight) = (first_key(place + 1).min(keys.end), weight(count));
            match runs.last_mut() {
                Some(run) if run.weight + weight <= limit => {
                    (run.end, run.weight) = (end, run.weight + weight)
                }
                last => {
                    let start = last.map_or(keys.start, |run| run.end);
                    runs.push(Run { start, end, weight });
                }
            }
        }
        Ok(runs)
    }
}

/// Reads the runs of a worker, which has these keys.
fn read_runs(keys: std::ops::Range<u64>, mut message: &[u8], runs: &mut Vec<Run>) -> Option<()> {
    let (mut start, mut sum) = (keys.start, 0);
    while start < keys.end {
        let length = read_number(&mut message).filter(|&length| length > 0)?;
        let end = start.checked_add(length).filter(|&end| end <= keys.end)?;
        let weight = read_number(&mut message)?;
        // the sum of all of at most 2²⁰ workers has 63 bits
        sum = weight.checked_add(sum).filter(|&sum| sum < 1 << 43)?;
        runs.push(Run { start, end, weight });
        start = end;
    }
    message.is_empty().then_some(())
}
