//! For 512 slots, the groups of eight slots that changed since a tick.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see
//! `docs/compile-times.md`.

use core::sync::atomic::{AtomicU64, Ordering};

/// The number of words that have one [`RecentChanges`].
pub(super) const WORDS: usize = 8;

/// The groups of eight slots, among 512 slots, that changed since a tick. A query for what changed
/// since the tick or later looks at the words of these groups only, and finds them in a cache line
/// that it reads for 1,024 slots.
///
/// The groups are those of the latest tick at which something changed here, plus perhaps some that
/// changed earlier. A query for an earlier tick than `before` cannot use them.
///
/// # Invariants
/// 1. No stamp of the slots is later than `latest`.
/// 2. A group with a stamp later than `before` is in `groups`, unless a thread is in
///    [`raise`](Self::raise). During a `raise`, the same holds for stamps that are not later than
///    `latest` was before all calls that have not returned.
#[derive(Default)]
pub(super) struct RecentChanges {
    latest: AtomicU64,
    before: AtomicU64,
    groups: AtomicU64,
}

/// The groups that may have changed after a tick.
pub(super) enum Candidates {
    /// No other group has changed after the tick.
    Groups(u64),
    /// The tick is too early to say.
    Unknown,
}

impl RecentChanges {
    /// Nothing is known but the latest stamp.
    pub(super) fn unknown(latest: u64) -> Self {
        Self { latest: AtomicU64::new(latest), before: AtomicU64::new(latest), groups: AtomicU64::new(0) }
    }

    /// The groups of these slots of a word.
    pub(super) fn groups(word: usize, slots: u64) -> u64 {
        let has = |eighth: &usize| slots >> (eighth * 8) & 0xff != 0;
        let groups: u64 = (0..8).filter(has).map(|eighth| 1 << eighth).sum();
        groups << (word % WORDS * 8)
    }

    /// The groups that may have changed after `tick`.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn since(&self, tick: u64) -> Candidates {
        // `groups` is read first: a thread that empties it has raised `before` before
        let groups = self.groups.load(Ordering::Acquire);
        if self.latest.load(Ordering::Relaxed) <= tick {
            Candidates::Groups(0)
        } else if self.before.load(Ordering::Relaxed) <= tick {
            Candidates::Groups(groups)
        } else {
            Candidates::Unknown
        }
    }

    /// Notes that these groups change at `tick`. Several threads may call this at the same time,
    /// also with different ticks.
    pub(super) fn raise(&self, groups: u64, tick: u64) {
        let mut latest = self.latest.load(Ordering::Acquire);
        while latest < tick {
            // the groups of earlier ticks are dropped, and `before` tells that they were
            self.before.fetch_max(latest, Ordering::Release);
            let dropped = self.groups.swap(0, Ordering::AcqRel);
            match self.latest.compare_exchange(latest, tick, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => break,
                Err(now) => {
                    // another thread was first, and the dropped groups may be of its tick
                    self.groups.fetch_or(dropped, Ordering::AcqRel);
                    latest = now;
                }
            }
        }
        if self.groups.load(Ordering::Relaxed) & groups != groups {
            self.groups.fetch_or(groups, Ordering::AcqRel);
        }
    }
}

impl Clone for RecentChanges {
    fn clone(&self) -> Self {
        let Self { latest, before, groups } = self;
        Self { latest: super::copy(latest), before: super::copy(before), groups: super::copy(groups) }
    }
}
