//! The slots of one word that changed last.
//!
//! Functions with `cfg_attr(not(debug_assertions), inline(always))` are dev calls: see
//! `docs/compile-times.md`.

use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// The number of slots of a word that are stored one by one. The next change of another slot makes
/// the set unknown, so that a system which changes all values of a word does not pay a locked
/// instruction for each.
const MOST: u32 = 8;

/// All slots: the set is unknown.
const UNKNOWN: u64 = u64::MAX;

/// The slots of a word that changed since a tick, so that a query need not read their stamps.
///
/// # Invariants
/// While no thread is in [`raise`](Self::raise):
/// 1. No stamp of the word is later than `latest`.
/// 2. Unless `slots` is [`UNKNOWN`], it has exactly the slots with a stamp later than `before`.
///
/// During a `raise`, no change of an earlier call is lost from `latest`.
#[derive(Default)]
pub(super) struct WordChanges {
    latest: AtomicU64,
    before: AtomicU64,
    slots: AtomicU64,
    /// Whether the page's entry in `Stamps::touched` is set. Stored here, in a cache line that a
    /// change reads anyway.
    pub(super) touched: AtomicBool,
}

/// The slots that changed after a tick.
pub(super) enum SlotsSince {
    /// Exactly these slots, one bit each.
    Slots(u64),
    /// The slots are not listed: their stamps must be compared.
    Unknown,
}

impl WordChanges {
    /// The latest change.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn latest(&self) -> u64 {
        self.latest.load(Ordering::Relaxed)
    }

    /// The slots that changed after `tick`. No other thread may change a slot of the word
    /// meanwhile.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn since(&self, tick: u64) -> SlotsSince {
        let slots = self.slots.load(Ordering::Relaxed);
        if self.latest() <= tick {
            SlotsSince::Slots(0)
        } else if slots != UNKNOWN && self.before.load(Ordering::Relaxed) <= tick {
            SlotsSince::Slots(slots)
        } else {
            SlotsSince::Unknown
        }
    }

    /// Whether the change of a slot at `tick` is stored already.
    #[cfg_attr(not(debug_assertions), inline(always))]
    pub(super) fn has(&self, slot: usize, tick: u64) -> bool {
        // `slots` is read first: a thread that raises `latest` has emptied it before
        let slots = self.slots.load(Ordering::Acquire);
        let latest = self.latest.load(Ordering::Acquire);
        slots >> (slot % 64) & 1 == 1 && (latest == tick || latest > tick && slots == UNKNOWN)
    }

    /// Whether a change at `tick` of slots that are not stored yet makes the set unknown.
    pub(super) fn is_full(&self, tick: u64) -> bool {
        self.latest() >= tick && self.slots.load(Ordering::Relaxed).count_ones() >= MOST
    }

    /// Stores that these slots change at `tick`. Several threads may call this at the same time,
    /// also with different ticks.
    ///
    /// Returns whether the set is to become unknown by a call of [`forget`](Self::forget), because
    /// the word has a later tick, or because of other threads.
    #[must_use]
    pub(super) fn raise(&self, slots: u64, tick: u64) -> bool {
        // Sequentially consistent: of two threads, one that opens a tick and one that stores a slot
        // of an earlier tick, at least one sees the other. Each writes one of the two fields before
        // it reads the other.
        let mut latest = self.latest.load(Ordering::SeqCst);
        let mut is_alone = true;
        while latest < tick {
            self.before.fetch_max(latest, Ordering::SeqCst);
            self.slots.swap(0, Ordering::SeqCst);
            match self.latest.compare_exchange(latest, tick, Ordering::SeqCst, Ordering::SeqCst) {
                Ok(_) => {
                    latest = tick;
                    is_alone &= self.slots.load(Ordering::SeqCst) == 0;
                }
                Err(now) => {
                    // another thread was first, and the dropped slots may be of its tick
                    latest = now;
                    is_alone = false;
                }
            }
        }
        is_alone &= latest == tick;
        if is_alone {
            self.slots.fetch_or(slots, Ordering::SeqCst);
            is_alone = self.latest.load(Ordering::SeqCst) == tick;
        }
        !is_alone
    }

    /// Makes the set of slots unknown.
    pub(super) fn forget(&self) {
        self.slots.fetch_or(UNKNOWN, Ordering::SeqCst);
    }
}

impl Clone for WordChanges {
    /// The copy is not touched.
    fn clone(&self) -> Self {
        let Self { latest, before, slots, touched: _ } = self;
        Self {
            latest: super::copy(latest),
            before: super::copy(before),
            slots: super::copy(slots),
            touched: AtomicBool::new(false),
        }
    }
}
