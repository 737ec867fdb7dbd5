//! [`ChangeJournal`]: the last structural changes of a world, which keeps one if
//! `#[world(journal = ..)]` asks for it.
//!
//! The journal is a field of the allocator: code that inserts or removes values has the allocator
//! at hand, and a snapshot or a clone of a world has the journal, too. Systems that run at the same
//! time add records in any order; [`settle`](Records::settle) sorts them by the ticks of the
//! systems, so that the journal does not depend on threads.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::sync::Arc;
use alloc::vec::Vec;

use super::Entity;
use super::allocator::Entities;
use crate::base::lock::Lock;
use crate::base::tick::Tick;
use crate::error::JournalGap;

/// One structural change. `COMPONENT` and above are insertions and removals: twice the index of the
/// component, plus one for a removal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Record {
    pub(crate) tick: u64,
    pub(crate) entity: Entity,
    code: u32,
}

const SPAWNED: u32 = 0;
const DESPAWNED: u32 = 1;
const COMPONENT: u32 = 2;

/// The change that a [`Record`] is about; components by their index in the world.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RecordedAction {
    Spawned,
    Despawned,
    Inserted(usize),
    Removed(usize),
}

impl RecordedAction {
    fn code(self) -> u32 {
        match self {
            Self::Spawned => SPAWNED,
            Self::Despawned => DESPAWNED,
            Self::Inserted(component) => COMPONENT + 2 * component as u32,
            Self::Removed(component) => COMPONENT + 2 * component as u32 + 1,
        }
    }
}

impl Record {
    pub(crate) fn action(self) -> RecordedAction {
        let component = || (self.code - COMPONENT) as usize / 2;
        match self.code {
            SPAWNED => RecordedAction::Spawned,
            DESPAWNED => RecordedAction::Despawned,
            code if code % 2 == COMPONENT % 2 => RecordedAction::Inserted(component()),
            _ => RecordedAction::Removed(component()),
        }
    }
}

/// The journal of a world.
pub(crate) struct ChangeJournal {
    records: Lock<Records>,
}

/// The number of records in a part of the journal that clones and snapshots share.
const PART: usize = 1024;

/// The records, oldest first.
///
/// # Invariants
/// 1. The records of `parts` and the first `settled` records of `rest` are sorted by tick. Each
///    later one was added by a system that may run at the same time as others.
/// 2. Each part has `PART` records, of which the first `dropped` of the first part are no longer in
///    the journal.
#[derive(Clone)]
struct Records {
    /// Settled records that never change, so that a copy of the journal shares them.
    parts: VecDeque<Arc<[Record]>>,
    dropped: usize,
    /// The records after those of the parts.
    rest: VecDeque<Record>,
    settled: usize,
    /// The bound: the most settled records that are kept.
    most: usize,
    /// All changes after this tick are in the list.
    complete_since: u64,
}

impl Records {
    fn len(&self) -> usize {
        self.parts.len() * PART - self.dropped + self.rest.len()
    }

    /// Sorts the records that systems added since the last call, and drops the oldest ones beyond
    /// the bound.
    ///
    /// The records of one system stay in their order, except that those of different components are
    /// separated: a system may change two components from two threads.
    fn settle(&mut self) {
        if self.settled < self.rest.len() {
            let new = &mut self.rest.make_contiguous()[self.settled..];
            new.sort_by_key(|record| (record.tick, record.code / 2));
        }
        while self.rest.len() >= PART {
            self.parts.push_back(self.rest.drain(..PART).collect());
        }
        self.drop_oldest(self.len().saturating_sub(self.most));
        self.settled = self.rest.len();
    }

    fn drop_oldest(&mut self, mut excess: usize) {
        while excess > 0 {
            let Some(part) = self.parts.front() else {
                let dropped = self.rest.drain(..excess).map(|record| record.tick).max();
                self.complete_since = self.complete_since.max(dropped.unwrap_or(0));
                return;
            };
            let dropped = &part[self.dropped..PART.min(self.dropped + excess)];
            let latest = dropped.iter().map(|record| record.tick).max().unwrap_or(0);
            excess -= dropped.len();
            self.dropped += dropped.len();
            self.complete_since = self.complete_since.max(latest);
            if self.dropped == PART {
                self.parts.pop_front();
                self.dropped = 0;
            }
        }
    }

    /// The settled records after `tick`.
    fn after(&self, tick: u64) -> Vec<Record> {
        let later = |records: &[Record]| records.partition_point(|record| record.tick <= tick);
        let first = self.parts.partition_point(|part| part.last().is_some_and(|record| record.tick <= tick));
        let mut found = Vec::new();
        for (at, part) in self.parts.iter().enumerate().skip(first) {
            let kept = &part[if at == 0 { self.dropped } else { 0 }..];
            found.extend_from_slice(&kept[later(kept)..]);
        }
        let from = self.rest.partition_point(|record| record.tick <= tick);
        found.extend(self.rest.range(from..));
        found
    }
}

impl ChangeJournal {
    pub(super) fn new(most: usize) -> Self {
        let (parts, rest) = (VecDeque::new(), VecDeque::new());
        Self { records: Lock::new(Records { parts, dropped: 0, rest, settled: 0, most, complete_since: 0 }) }
    }

    /// Adds a record. `now` is the tick of changes outside of systems: a change with an earlier
    /// tick was made by a system, and others may run at the same time.
    pub(crate) fn add(&self, action: RecordedAction, entity: Entity, tick: u64, now: u64) {
        self.records.with(|records| {
            if tick == now {
                records.settle();
            }
            records.rest.push_back(Record { tick, entity, code: action.code() });
            if tick == now {
                records.settle();
            }
        });
    }

    /// Sorts and bounds the records, after a run of systems.
    pub(crate) fn settle(&self) {
        self.records.with(Records::settle);
    }

    /// Drops all records. Changes after `tick` are recorded from now on.
    fn restart(&self, tick: u64) {
        self.records.with(|records| {
            records.parts.clear();
            records.rest.clear();
            (records.dropped, records.settled, records.complete_since) = (0, 0, tick);
        });
    }

    /// The records after `tick`, oldest first.
    fn since(&self, tick: u64, now: u64) -> Result<Vec<Record>, JournalGap> {
        self.records.with(|records| {
            records.settle();
            if tick > now {
                return Err(JournalGap::NotReached { asked: Tick(tick), now: Tick(now) });
            }
            if tick < records.complete_since {
                return Err(JournalGap::Dropped {
                    asked: Tick(tick),
                    complete_since: Tick(records.complete_since),
                });
            }
            Ok(records.after(tick))
        })
    }

    /// The tick after which all changes are recorded.
    fn complete_since(&self) -> u64 {
        self.records.with(|records| {
            records.settle();
            records.complete_since
        })
    }
}

/// Shares the parts, and copies fewer than `PART` records.
impl Clone for ChangeJournal {
    fn clone(&self) -> Self {
        Self { records: Lock::new(self.records.with(|records| records.clone())) }
    }
}

impl Entities {
    /// Makes a journal with this bound; none if it is 0.
    pub(crate) fn start_journal(&mut self, most: usize) {
        self.journal = (most > 0).then(|| Box::new(ChangeJournal::new(most)));
    }

    /// Begins the journal anew, since the entities come from a file.
    pub(super) fn restart_journal(&self) {
        if let Some(journal) = self.journal() {
            journal.restart(self.tick());
        }
    }

    /// The journal of the world, if it keeps one.
    #[inline(always)]
    pub(crate) fn journal(&self) -> Option<&ChangeJournal> {
        self.journal.as_deref()
    }

    /// Adds a change to the journal, if the world keeps one. A `tick` of 0 is that of a parameter
    /// that uses no ticks.
    #[inline(always)]
    pub(crate) fn record(&self, action: RecordedAction, entity: Entity, tick: u64) {
        if let Some(journal) = self.journal() {
            record_in(journal, action, entity, tick, self.tick());
        }
    }

    /// The tick after which all changes are recorded.
    pub(crate) fn recorded_from(&self) -> Tick {
        Tick(self.journal().map_or(self.tick(), ChangeJournal::complete_since))
    }

    /// The recorded changes after `tick`, oldest first.
    pub(crate) fn recorded_since(&self, tick: Tick) -> Result<Vec<Record>, JournalGap> {
        let none = JournalGap::Dropped { asked: tick, complete_since: Tick(self.tick()) };
        self.journal().map_or(Err(none), |journal| journal.since(tick.0, self.tick()))
    }
}

#[cold]
#[inline(never)]
fn record_in(journal: &ChangeJournal, action: RecordedAction, entity: Entity, tick: u64, now: u64) {
    journal.add(action, entity, if tick == 0 { now } else { tick }, now);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entity(slot: u64) -> Entity {
        Entity::from_bits(1 << 32 | slot).unwrap()
    }

    fn slots(records: &[Record]) -> Vec<(u64, u32)> {
        records.iter().map(|record| (record.tick, record.entity.slot())).collect()
    }

    #[test]
    fn actions_are_encoded_and_decoded() {
        for action in [RecordedAction::Spawned, RecordedAction::Despawned]
            .into_iter()
            .chain((0..512).flat_map(|i| [RecordedAction::Inserted(i), RecordedAction::Removed(i)]))
        {
            assert_eq!(Record { tick: 1, entity: entity(1), code: action.code() }.action(), action);
        }
    }

    #[test]
    fn records_of_systems_are_sorted_by_tick_and_component() {
        let journal = ChangeJournal::new(100);
        journal.add(RecordedAction::Spawned, entity(9), 2, 2);
        for (component, slot, tick) in [(1, 0, 6), (0, 1, 4), (0, 2, 6), (1, 3, 6), (0, 4, 4)] {
            journal.add(RecordedAction::Inserted(component), entity(slot), tick, 8);
        }
        journal.add(RecordedAction::Spawned, entity(5), 8, 8);
        let records = journal.since(0, 8).unwrap();
        assert_eq!(slots(&records), [(2, 9), (4, 1), (4, 4), (6, 2), (6, 0), (6, 3), (8, 5)]);
        assert_eq!(slots(&journal.since(4, 8).unwrap()), [(6, 2), (6, 0), (6, 3), (8, 5)]);
        assert_eq!(journal.since(8, 8), Ok(Vec::new()));
    }

    #[test]
    fn beyond_the_bound_the_oldest_are_dropped_and_told() {
        let journal = ChangeJournal::new(2);
        for tick in [2, 4, 4, 6] {
            journal.add(RecordedAction::Despawned, entity(tick), tick, tick);
        }
        assert_eq!(slots(&journal.since(4, 6).unwrap()), [(6, 6)]);
        let gap = JournalGap::Dropped { asked: Tick(3), complete_since: Tick(4) };
        assert_eq!(journal.since(3, 6), Err(gap), "one of the two changes at tick 4 is dropped");
        assert_eq!(journal.since(9, 6), Err(JournalGap::NotReached { asked: Tick(9), now: Tick(6) }));
        assert_eq!(journal.complete_since(), 4);
    }

    /// The journal beside a plain list, over many parts, with records outside of systems and of
    /// systems.
    #[test]
    fn parts_hold_what_a_plain_list_would() {
        for most in [1, 700, PART, 3 * PART - 1, 3 * PART + 5] {
            let (journal, mut plain, mut complete) = (ChangeJournal::new(most), Vec::new(), 0);
            let (mut now, mut state) = (2, 7_u64);
            for round in 0..40_u64 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(round);
                let (count, of_systems) = ((state >> 33) % 700, round % 3 == 0);
                now += 2;
                let start = plain.len();
                for i in 0..count {
                    let tick = if of_systems { now - 2 + i % 2 } else { now };
                    journal.add(RecordedAction::Spawned, entity(i), tick, now);
                    plain.push((tick, i as u32));
                }
                plain[start..].sort_by_key(|&(tick, _)| tick);
                journal.settle();
                let dropped = plain.len().saturating_sub(most);
                complete = plain.drain(..dropped).map(|(tick, _)| tick).max().unwrap_or(complete);
                assert_eq!(journal.complete_since(), complete);
                for tick in complete..=now {
                    let later = plain.iter().filter(|(of, _)| *of > tick);
                    assert_eq!(slots(&journal.since(tick, now).unwrap()), later.copied().collect::<Vec<_>>());
                }
            }
        }
    }

    #[test]
    fn a_copy_shares_the_parts_and_goes_on_by_itself() {
        let journal = ChangeJournal::new(4 * PART);
        let fill = |journal: &ChangeJournal, ticks: core::ops::Range<u64>| {
            ticks.for_each(|tick| journal.add(RecordedAction::Spawned, entity(tick), tick, tick));
        };
        fill(&journal, 1..3 * PART as u64);
        let copy = journal.clone();
        let parts = |journal: &ChangeJournal| journal.records.with(|records| records.parts.clone());
        let (ours, theirs) = (parts(&journal), parts(&copy));
        assert_eq!((ours.len(), theirs.len()), (2, 2));
        assert!(ours.iter().zip(&theirs).all(|(ours, theirs)| Arc::ptr_eq(ours, theirs)));
        fill(&journal, 3 * PART as u64..9 * PART as u64);
        assert_eq!(copy.since(0, u64::MAX).unwrap().len(), 3 * PART - 1);
        assert!(journal.since(0, u64::MAX).is_err());
        assert_eq!(journal.records.with(|records| records.len()), 4 * PART);
    }

    #[test]
    fn records_of_running_systems_are_dropped_only_when_they_are_in_order() {
        let journal = ChangeJournal::new(2);
        for tick in [8, 4, 6, 2] {
            journal.add(RecordedAction::Despawned, entity(tick), tick, 10);
        }
        journal.settle();
        assert_eq!(slots(&journal.since(4, 10).unwrap()), [(6, 6), (8, 8)]);
        assert!(journal.since(2, 10).is_err());
    }
}
