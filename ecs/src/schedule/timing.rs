//! Run times of systems. The executor uses them to choose the waves that run on several threads;
//! users get them as [`Timing`]s.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see
//! `docs/compile-times.md`.

use alloc::vec::Vec;
use core::time::Duration;

use super::plan::AnyPlan;
use crate::base::division::Division;

/// Whether systems of a schedule that do not clash run at the same time, and whether the entities
/// of a system that is marked `par`, or of [`Query::par_for_each`](crate::Query::par_for_each), are
/// divided among threads. The result is the same, bit for bit.
///
/// Without the feature `parallel`, one thread does all work.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Parallelism {
    /// Run systems at the same time if that is faster. The library measures their run times now and
    /// then; short systems stay on the thread that runs the schedule. Divide the entities of a
    /// system that is marked `par` by measured time.
    #[default]
    Auto,
    /// Run one system after the other, on one thread.
    Never,
    /// Run systems at the same time whenever they do not clash, however short they are, and divide
    /// the entities of a system that is marked `par` into pieces of one to 256 slots: for tests.
    Always,
}

impl Parallelism {
    /// The division of loops over entities.
    pub(crate) fn division(self) -> Division {
        match self {
            Self::Auto => Division::Measured,
            Self::Never => Division::Whole,
            Self::Always => Division::Tiny,
        }
    }
}

/// The measured run times of a schedule's systems, and the decisions that follow from them.
#[derive(Default, Debug)]
pub(crate) struct ScheduleTimes {
    /// For each node, its last measured run time in nanoseconds.
    pub(super) nanos: Vec<u32>,
    /// Whether the wave that begins with a turn runs on several threads, by turn. A turn is the
    /// position of a node in the order by wave.
    pub(super) parallel_waves: Vec<bool>,
    /// Whether any wave runs on several threads.
    pub(super) any_parallel: bool,
    /// The number of runs until the next measurement.
    pub(super) runs_left: u32,
    /// The number of blocks of entity slots at the last measurement: many more of them cause a new
    /// measurement.
    pub(super) blocks: usize,
    /// For each node its run times, while the user has switched `time_systems` on.
    pub(super) table: Option<Vec<RunTimes>>,
    /// Whether a function watches the world.
    pub(super) watched: bool,
    /// The setting of the user.
    pub(super) parallelism: Parallelism,
}

/// The number of runs of a system, and their run times in nanoseconds.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct RunTimes {
    pub(crate) runs: u64,
    pub(crate) total: u64,
    pub(crate) longest: u64,
    pub(crate) last: u64,
}

/// The run times of a system at one place of a schedule, measured while
/// [`Schedules::time_systems`](crate::Schedules::time_systems) was on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Timing {
    /// The name of the schedule.
    pub schedule: &'static str,
    /// The name of the system.
    pub system: &'static str,
    /// The number of runs. A run in which the condition of the system was false counts, too.
    pub runs: u64,
    /// The total time of all runs, of the system and its conditions.
    pub total: Duration,
    /// The time of the longest run.
    pub longest: Duration,
    /// The time of the last run.
    pub last: Duration,
}

/// A wave runs on several threads if that could save at least this time, in nanoseconds: the sum of
/// the run times of its systems without the longest one. It is several times the cost of waking a
/// thread.
const MIN_SAVED_NANOS: u32 = 20_000;
/// In a wave on several threads, a system is given to another thread from this run time on, in
/// nanoseconds.
#[cfg(feature = "parallel")]
const MIN_SPAWN_NANOS: u32 = 3_000;
/// Below this run time, in nanoseconds, a schedule is measured less often: reading the clock can
/// take as long as ten of its systems.
const SHORT_SCHEDULE_NANOS: u64 = 20_000;

#[cfg(feature = "std")]
pub(super) use std::time::Instant;
/// Without the feature `std` there is no clock, and so no value of this type.
#[cfg(not(feature = "std"))]
#[derive(Clone, Copy)]
pub(super) enum Instant {}

impl ScheduleTimes {
    /// The current time, if `measure` is true and there is a clock.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn now(measure: bool) -> Option<Instant> {
        #[cfg(feature = "std")]
        return measure.then(Instant::now);
        #[cfg(not(feature = "std"))]
        {
            let _ = measure;
            None
        }
    }

    /// The clock of a copied schedule: with the settings of the user, and without measurements.
    pub(super) fn without_measurements(&self) -> Self {
        Self {
            table: self.table.as_ref().map(|_| Vec::new()),
            parallelism: self.parallelism,
            ..Self::default()
        }
    }

    /// The run times of the systems, while `time_systems` is on.
    pub(super) fn timings(&self, plan: &AnyPlan<'_>) -> impl Iterator<Item = Timing> {
        let sums = self.table.iter().flat_map(|table| table.iter().zip(plan.entries.iter()));
        sums.map(|(sum, entry)| Timing {
            schedule: plan.name,
            system: entry.node.task.name,
            runs: sum.runs,
            total: Duration::from_nanos(sum.total),
            longest: Duration::from_nanos(sum.longest),
            last: Duration::from_nanos(sum.last),
        })
    }

    /// Whether this run is to be measured. Counts the run if it is not.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn is_due(&mut self, blocks: usize) -> bool {
        if self.table.is_some() || self.watched {
            return true;
        }
        if cfg!(not(feature = "parallel")) {
            return false;
        }
        if self.parallelism != Parallelism::Auto {
            return false;
        }
        if self.runs_left == 0 || self.has_grown(blocks) {
            self.blocks = blocks;
            return true;
        }
        self.runs_left -= 1;
        false
    }

    /// Whether this run is not to be measured, and no wave runs on several threads. Counts the run
    /// then, as [`is_due`](Self::is_due) does. `wide` is whether a wave has several systems.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn allows_fast_path(&mut self, wide: bool, blocks: usize) -> bool {
        if self.table.is_some() || self.watched {
            return false;
        }
        if cfg!(not(feature = "parallel")) || !wide {
            return true;
        }
        match self.parallelism {
            Parallelism::Never => true,
            Parallelism::Always => false,
            Parallelism::Auto if self.any_parallel || self.runs_left == 0 || self.has_grown(blocks) => false,
            Parallelism::Auto => {
                self.runs_left -= 1;
                true
            }
        }
    }

    /// Whether there are more than twice as many blocks as at the last measurement, so that systems
    /// may take longer.
    #[cfg_attr(not(debug_assertions), inline)]
    fn has_grown(&self, blocks: usize) -> bool {
        blocks > 2 * self.blocks + 16
    }

    /// Records the run time of a node.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn record(&mut self, at: usize, start: Option<Instant>, end: Option<Instant>) {
        #[cfg(feature = "std")]
        if let (Some(start), Some(end)) = (start, end) {
            // for the executor, the last time of each node
            let nanos = u64::try_from(end.duration_since(start).as_nanos()).unwrap_or(u64::MAX);
            if self.nanos.len() <= at {
                self.nanos.resize(at + 1, 0);
            }
            self.nanos[at] = u32::try_from(nanos).unwrap_or(u32::MAX);
            // for the user, sums, while `time_systems` is on
            if let Some(table) = &mut self.table {
                if table.len() <= at {
                    table.resize(at + 1, RunTimes::default());
                }
                let sum = &mut table[at];
                sum.runs += 1;
                sum.total += nanos;
                sum.longest = sum.longest.max(nanos);
                sum.last = nanos;
            }
        }
        #[cfg(not(feature = "std"))]
        let _ = (at, start, end);
    }

    /// Whether a node takes long enough to be given to another thread.
    #[cfg(feature = "parallel")]
    pub(super) fn is_large(&self, at: usize) -> bool {
        self.parallelism == Parallelism::Always
            || self.nanos.get(at).is_some_and(|&nanos| nanos >= MIN_SPAWN_NANOS)
    }

    /// Whether any wave is to run on several threads.
    #[cfg(feature = "parallel")]
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn has_parallel_waves(&self) -> bool {
        match self.parallelism {
            Parallelism::Auto => self.any_parallel,
            Parallelism::Never => false,
            Parallelism::Always => true,
        }
    }

    /// Whether the wave that begins with a turn is to run on several threads.
    #[cfg(feature = "parallel")]
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn is_parallel_wave(&self, turn: usize) -> bool {
        self.parallelism == Parallelism::Always
            || self.parallel_waves.get(turn).is_some_and(|&parallel| parallel)
    }

    /// Decides, after a run that was measured, which waves run on several threads.
    pub(super) fn decide_parallel_waves(&mut self, plan: &AnyPlan<'_>) {
        let entries = &plan.entries;
        self.parallel_waves.clear();
        self.parallel_waves.resize(entries.len(), false);
        // `entries` in the order of turns, so that a wave is a run of neighbours
        let nanos = |at: usize| u64::from(self.nanos.get(entries[at].node_of_turn).copied().unwrap_or(0));
        let (mut start, mut all) = (0, 0);
        while start < entries.len() {
            let wave = |at: usize| {
                (entries[entries[at].node_of_turn].section, entries[entries[at].node_of_turn].wave)
            };
            let (mut at, mut sum, mut longest) = (start, 0, 0);
            while at < entries.len() && wave(at) == wave(start) {
                sum += nanos(at);
                longest = longest.max(nanos(at));
                at += 1;
            }
            // with enough threads a wave takes as long as its longest system: the rest is what can
            // be saved
            self.parallel_waves[start] = sum - longest >= u64::from(MIN_SAVED_NANOS);
            all += sum;
            start = at;
        }
        self.any_parallel = self.parallel_waves.contains(&true);
        // measuring costs a reading of the clock for each system, which short schedules feel
        self.runs_left = if all < SHORT_SCHEDULE_NANOS { 1023 } else { 31 };
    }
}
