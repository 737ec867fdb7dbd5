//! How long systems take: to know what is worth a thread, and for users who ask.

use alloc::vec::Vec;
use core::time::Duration;

use super::plan::Plan;
use crate::world::World;

/// Whether the systems of a schedule that do not clash run at the same time. The result is the same, bit for bit.
///
/// Without the feature `parallel` they never do.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Parallelism {
    /// Where it pays: schedules are measured now and then, and systems that are too small to be worth a thread stay on
    /// the thread that runs the schedule.
    #[default]
    Auto,
    /// Never.
    Never,
    /// Wherever it is possible, however small the systems: for tests.
    Always,
}

/// What is known of the time that a schedule's systems take.
#[derive(Default, Debug)]
pub(crate) struct Clock {
    /// For each node, when it was measured last.
    pub(super) nanos: Vec<u32>,
    /// For each node that begins a wave: whether its wave is worth several threads.
    pub(super) spread: Vec<bool>,
    /// Whether any wave is.
    pub(super) any: bool,
    /// After how many runs it is measured again; and how many blocks of entities there were, since more may change it.
    pub(super) runs_left: u32,
    pub(super) blocks: usize,
    /// What users see, if they asked for it.
    pub(super) table: Option<Vec<Sum>>,
    /// What the user wants.
    pub(super) wish: Parallelism,
}

/// The times of a system, added up.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Sum {
    pub(crate) runs: u64,
    pub(crate) total: u64,
    pub(crate) longest: u64,
    pub(crate) last: u64,
}

/// What a system took at one place, when [`Schedules::time_systems`](crate::Schedules::time_systems) was on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Timing {
    /// The schedule.
    pub schedule: &'static str,
    /// The system.
    pub system: &'static str,
    /// How often it had its turn; a turn at which its condition did not hold counts.
    pub runs: u64,
    /// The time of all turns, of the system and its conditions.
    pub total: Duration,
    /// The time of the longest turn.
    pub longest: Duration,
    /// The time of the last turn.
    pub last: Duration,
}

/// How long a wave's systems must take together, beyond what one thread does of them, to be worth several threads: some
/// times what it takes to wake one.
const WORTH: u32 = 20_000;
/// From how many nanoseconds on a system of such a wave is given away.
#[cfg(feature = "parallel")]
const LARGE: u32 = 3_000;
/// Short schedules are measured seldom, for looking at the clock takes as long as ten of their systems.
const SHORT: u64 = 20_000;

#[cfg(feature = "std")]
pub(super) use std::time::Instant;
/// There are no clocks.
#[cfg(not(feature = "std"))]
#[derive(Clone, Copy)]
pub(super) enum Instant {}

impl Clock {
    /// The time, if it is asked for, and can be told.
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

    /// The clock of a copy: what the user set, and nothing measured yet.
    pub(super) fn afresh(&self) -> Self {
        Self { table: self.table.as_ref().map(|_| Vec::new()), wish: self.wish, ..Self::default() }
    }

    /// What was added up, if the user asked for it.
    pub(super) fn timings<W: World>(&self, plan: &Plan<W>) -> impl Iterator<Item = Timing> {
        let sums = self.table.iter().flat_map(|table| table.iter().zip(&plan.entries));
        sums.map(|(sum, entry)| Timing {
            schedule: plan.name,
            system: entry.node.task.name,
            runs: sum.runs,
            total: Duration::from_nanos(sum.total),
            longest: Duration::from_nanos(sum.longest),
            last: Duration::from_nanos(sum.last),
        })
    }

    /// Whether a run is to be measured.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn is_due(&mut self, blocks: usize) -> bool {
        if self.table.is_some() {
            return true;
        }
        if cfg!(not(feature = "parallel")) {
            return false;
        }
        if self.wish != Parallelism::Auto {
            return false;
        }
        if self.runs_left == 0 || self.has_grown(blocks) {
            self.blocks = blocks;
            return true;
        }
        self.runs_left -= 1;
        false
    }

    /// Whether a run needs no clock, and no wave is spread; it is noted then, as [`is_due`](Self::is_due) does.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn is_quiet(&mut self, wide: bool, blocks: usize) -> bool {
        if self.table.is_some() {
            return false;
        }
        if cfg!(not(feature = "parallel")) || !wide {
            return true;
        }
        match self.wish {
            Parallelism::Never => true,
            Parallelism::Always => false,
            Parallelism::Auto if self.any || self.runs_left == 0 || self.has_grown(blocks) => false,
            Parallelism::Auto => {
                self.runs_left -= 1;
                true
            }
        }
    }

    /// Whether there are so many more blocks than there were that systems may take longer.
    #[cfg_attr(not(debug_assertions), inline)]
    fn has_grown(&self, blocks: usize) -> bool {
        blocks > 2 * self.blocks + 16
    }

    /// Notes what a node took.
    #[cfg_attr(not(debug_assertions), inline)]
    pub(super) fn note(&mut self, at: usize, start: Option<Instant>, end: Option<Instant>) {
        #[cfg(feature = "std")]
        if let (Some(start), Some(end)) = (start, end) {
            let nanos = u64::try_from(end.duration_since(start).as_nanos()).unwrap_or(u64::MAX);
            if self.nanos.len() <= at {
                self.nanos.resize(at + 1, 0);
            }
            self.nanos[at] = u32::try_from(nanos).unwrap_or(u32::MAX);
            if let Some(table) = &mut self.table {
                if table.len() <= at {
                    table.resize(at + 1, Sum::default());
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

    /// Whether a node is worth being given to another thread.
    #[cfg(feature = "parallel")]
    pub(super) fn is_large(&self, at: usize) -> bool {
        self.wish == Parallelism::Always || self.nanos.get(at).is_some_and(|&nanos| nanos >= LARGE)
    }

    /// Whether any wave is to be spread over several threads.
    #[cfg(feature = "parallel")]
    pub(super) fn spreads(&self) -> bool {
        match self.wish {
            Parallelism::Auto => self.any,
            Parallelism::Never => false,
            Parallelism::Always => true,
        }
    }

    /// Whether a wave is, by the number of the turn that it begins with.
    #[cfg(feature = "parallel")]
    pub(super) fn is_spread(&self, turn: usize) -> bool {
        self.wish == Parallelism::Always || self.spread.get(turn).is_some_and(|&spread| spread)
    }

    /// Decides, after a run that was measured, which waves are worth several threads.
    pub(super) fn decide<W: World>(&mut self, plan: &Plan<W>) {
        let entries = &plan.entries;
        self.spread.clear();
        self.spread.resize(entries.len(), false);
        let nanos = |at: usize| u64::from(self.nanos.get(entries[at].nth).copied().unwrap_or(0));
        let (mut start, mut all) = (0, 0);
        while start < entries.len() {
            let wave = |at: usize| (entries[entries[at].nth].section, entries[entries[at].nth].wave);
            let (mut at, mut sum, mut longest) = (start, 0, 0);
            while at < entries.len() && wave(at) == wave(start) {
                sum += nanos(at);
                longest = longest.max(nanos(at));
                at += 1;
            }
            self.spread[start] = sum - longest >= u64::from(WORTH);
            all += sum;
            start = at;
        }
        self.any = self.spread.contains(&true);
        self.runs_left = if all < SHORT { 1023 } else { 31 };
    }
}
