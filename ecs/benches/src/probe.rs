//! Tells whether the machine is busy with something else, by work that always takes equally long.
//!
//! Other programs, and other guests of the same machine, share the cores: while they run, a loop of
//! many instructions takes up to twice as long, and one that waits for its own last result hardly
//! longer. So ratios change, too, and taking turns does not help. What is measured while the probe
//! is slow is measured again.

use std::cell::Cell;
use std::hint::black_box;
use std::time::Instant;

/// The slowdown of the probe that still counts as a calm machine.
const TOLERANCE: f64 = 1.15;
/// Of so many samples one is kept at least, however busy the machine is; if fewer were taken in
/// calm, more are no use.
const KEPT: usize = 3;

/// A clock that knows how long its own work takes.
pub(crate) struct Probe {
    least: Cell<f64>,
}

impl Probe {
    /// Looks some milliseconds long for how fast the machine is.
    pub(crate) fn new() -> Self {
        let probe = Self { least: Cell::new(f64::MAX) };
        for _ in 0..200 {
            probe.take();
        }
        probe
    }

    /// The present duration of the work, in nanoseconds.
    pub(crate) fn take(&self) -> f64 {
        let start = Instant::now();
        black_box(work(black_box(1)));
        let time = start.elapsed().as_secs_f64() * 1e9;
        self.least.set(self.least.get().min(time));
        time
    }

    /// Whether the machine did nothing else when the work took so long.
    pub(crate) fn is_calm(&self, time: f64) -> bool {
        time <= self.least.get() * TOLERANCE
    }
}

/// Eight chains that do not wait for each other, so that the work is bound by how many instructions
/// the core takes in; each goes through a table, so that they are not made vectors.
#[inline(never)]
fn work(seed: u64) -> u64 {
    let table: [u64; 64] = black_box(std::array::from_fn(|i| seed.wrapping_mul(i as u64 | 1)));
    let mut chains: [u64; 8] = std::array::from_fn(|i| seed.wrapping_add(i as u64));
    for round in 0..4_000 {
        for chain in &mut chains {
            *chain = (*chain >> 3).wrapping_add(round) ^ table[(*chain & 63) as usize];
        }
    }
    chains.iter().fold(0, |all, chain| all ^ chain)
}

/// Samples of one library, each with how long the probe took beside it.
#[derive(Default)]
pub(crate) struct Samples {
    taken: Vec<(f64, f64)>,
}

impl Samples {
    pub(crate) fn push(&mut self, sample: f64, beside: f64) {
        self.taken.push((sample, beside));
    }

    /// The number of samples that were taken on a calm machine.
    pub(crate) fn calm_count(&self, probe: &Probe) -> usize {
        self.taken.iter().filter(|(_, beside)| probe.is_calm(*beside)).count()
    }

    pub(crate) fn len(&self) -> usize {
        self.taken.len()
    }

    /// Whether more need not be taken: so many were taken while all was calm, or that is too rare
    /// to wait for.
    pub(crate) fn suffice(&self, asked: usize, probe: &Probe) -> bool {
        let calm = self.calm_count(probe);
        calm >= asked || self.len() >= asked && calm * KEPT < self.len()
    }

    /// The samples that were taken while the machine was calm; if these are few, the calmest ones.
    pub(crate) fn kept(mut self, probe: &Probe) -> Vec<f64> {
        let kept = self.calm_count(probe).max(self.taken.len().div_ceil(KEPT));
        self.taken.sort_by(|a, b| a.1.total_cmp(&b.1));
        self.taken.truncate(kept);
        self.taken.into_iter().map(|(sample, _)| sample).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(taken: &[(f64, f64)]) -> Samples {
        Samples { taken: taken.to_vec() }
    }

    #[test]
    fn what_was_measured_while_the_machine_was_busy_is_left_out() {
        let probe = Probe { least: Cell::new(100.0) };
        let some = samples(&[(1.0, 105.0), (9.0, 170.0), (2.0, 110.0)]);
        assert_eq!(some.calm_count(&probe), 2);
        assert_eq!(some.kept(&probe), [1.0, 2.0]);
    }

    #[test]
    fn what_is_rare_is_not_waited_for() {
        let probe = Probe { least: Cell::new(100.0) };
        let (calm, busy) = ((1.0, 105.0), (1.0, 170.0));
        assert!(samples(&[calm, calm]).suffice(2, &probe));
        assert!(!samples(&[calm]).suffice(2, &probe));
        assert!(!samples(&[calm, busy]).suffice(2, &probe));
        assert!(samples(&[calm, busy, busy, busy]).suffice(2, &probe));
        assert!(!samples(&[busy]).suffice(2, &probe));
    }

    #[test]
    fn the_calmest_are_kept_where_all_was_busy() {
        let probe = Probe { least: Cell::new(10.0) };
        let all = samples(&[(1.0, 105.0), (9.0, 170.0), (2.0, 110.0), (3.0, 100.0)]);
        assert_eq!(all.kept(&probe), [3.0, 1.0]);
    }

    #[test]
    fn the_probe_knows_its_own_best() {
        let probe = Probe::new();
        assert!(probe.is_calm(probe.least.get()) && !probe.is_calm(probe.least.get() * 1.5));
    }
}
