//! The effort for a figure: the number of samples, and of runs in each sample.

use std::time::Duration;

use crate::workload::{Measure, Workload};

/// The numbers of entities of a sweep.
pub(crate) const SWEEP_COUNTS: [u32; 5] = [1, 100, 10_000, 1_000_000, 30_000_000];

/// With more entities, each library has the memory to itself: the harness makes its world, samples
/// it and drops it before the next library begins. The worlds of all libraries together would not
/// fit.
pub(crate) const MOST_TOGETHER: u32 = 2_000_000;

/// The effort for a row, which is a workload with one number of entities and all libraries.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    /// Samples of each library, at least.
    least: usize,
    /// Samples of each library, at most.
    most: usize,
    /// In seconds, unless the least takes longer.
    time: f64,
    /// The rounds on a busy machine are at most so many times the planned ones.
    most_repeats: usize,
    /// The visits of a sample are at most these, whatever the workload says.
    visits: u32,
    /// The worlds of a sample are at most these where every run uses one up: small worlds of some
    /// libraries are large.
    worlds: u32,
}

impl Effort {
    /// For the tables.
    pub(crate) const FULL: Self =
        Self { least: 11, most: 51, time: 6.0, most_repeats: 3, visits: u32::MAX, worlds: u32::MAX };
    /// For the tables, to look whether all is well.
    pub(crate) const QUICK: Self = Self { most: 11, time: 2.0, ..Self::FULL };
    /// For a plot: a tenth is not seen on its scale, so that few samples do.
    pub(crate) const SWEEP: Self =
        Self { least: 3, most: 31, time: 2.0, most_repeats: 1, visits: 200_000, worlds: 250 };
    /// For a plot, to look whether all is well.
    pub(crate) const QUICK_SWEEP: Self = Self { most: 3, time: 0.5, ..Self::SWEEP };

    /// The number of runs in a sample.
    pub(crate) fn runs(self, workload: &Workload, visited: u32) -> u32 {
        let runs = workload.visits.min(self.visits) / visited.max(1);
        let most = if workload.measure == Measure::TimeOfFresh { self.worlds } else { u32::MAX };
        runs.min(most).max(1)
    }

    /// The rounds on a busy machine, as a multiple of the planned ones, at most.
    pub(crate) fn most_repeats(self) -> usize {
        self.most_repeats
    }

    /// The number of samples of each library, for a given duration of a round. With more than
    /// [`MOST_TOGETHER`] entities, where a library `is_alone`, one sample is enough, since each run
    /// is long, and a third of the time.
    pub(crate) fn samples(self, round: Duration, measure: Measure, is_alone: bool) -> usize {
        let (least, time) = if is_alone { (1, self.time / 3.0) } else { (self.least, self.time) };
        match measure {
            // the allocator gives out the same every time
            Measure::Memory => 1,
            _ => ((time / round.as_secs_f64()) as usize).clamp(least, self.most),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::{ALL, simple_insert, simple_iter};

    #[test]
    fn runs_fill_a_sample_up() {
        assert_eq!(Effort::FULL.runs(&simple_iter::FOR, 10_000), 400);
        assert_eq!(Effort::SWEEP.runs(&simple_iter::FOR, 10_000), 20);
        assert_eq!(Effort::SWEEP.runs(&simple_iter::FOR, 1_000_000), 1);
        assert_eq!(Effort::SWEEP.runs(&simple_insert::ONE_BY_ONE, 1), 250);
    }

    #[test]
    fn libraries_take_turns_in_all_tables() {
        for workload in ALL {
            assert!(workload.counts.iter().all(|count| *count <= MOST_TOGETHER), "{}", workload.name);
        }
    }

    #[test]
    fn samples_stay_within_their_bounds() {
        let samples = |seconds, is_alone| {
            Effort::FULL.samples(Duration::from_secs_f64(seconds), Measure::Time, is_alone)
        };
        assert_eq!([0.0, 0.5, 60.0].map(|seconds| samples(seconds, false)), [51, 12, 11]);
        assert_eq!([0.0, 0.5, 60.0].map(|seconds| samples(seconds, true)), [51, 4, 1]);
        assert_eq!(Effort::FULL.samples(Duration::ZERO, Measure::Memory, false), 1);
    }
}
