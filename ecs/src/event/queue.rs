//! [`Events`]: the queue of the events of one type, and the bound on its length.
//!
//! The queue is a ring buffer whose events are contiguous between two changes, so that readers
//! borrow a slice; and events that were read by all readers, or are dropped because of the bound,
//! can be dropped without moving the other events.

use alloc::collections::VecDeque;
use alloc::vec::{self, Vec};

use super::HasEvent;
use crate::base::reader_stats::{EventStats, ReaderStats};
use crate::base::warning;
use crate::storage::readers::ReadQueue;

/// The bound of an event type, as declared in its world: `keep = 64, full = newest, skip = clear`.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// The most events that are kept for readers that have not read them.
    pub keep: usize,
    /// The rule for events beyond `keep`.
    pub full: Full,
    /// Whether the events that wait for a reader count as seen when its system is skipped; `None`:
    /// when `in_state` has refused it.
    pub clear: Option<bool>,
}

impl Bound {
    /// The bound of an event type that is declared without options.
    pub const DEFAULT: Self = Self { keep: 1 << 17, full: Full::AfterRun, clear: None };
}

/// The rule for events beyond the bound of a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Full {
    /// The oldest events are dropped when the run of a schedule ends, so that later systems of the
    /// same run read all of them.
    AfterRun,
    /// The oldest events are dropped when new ones are sent.
    Oldest,
    /// The new events that do not fit are dropped.
    Newest,
    /// Sending panics.
    Panic,
}

/// The queue of the events of one type: the events that at least one reader in a schedule has not
/// read.
///
/// When the run of a schedule ends, the events that every reader has read are dropped.
///
/// # Without a reader
/// If no schedule has a reader of the type, the newest events, up to the bound below, are kept for
/// [`World::drain`](crate::World::drain), whether they were sent by systems or by
/// [`World::send`](crate::World::send). An `external` event that the program neither reads nor
/// drains takes memory up to that bound; `keep = 1` reduces this to one event.
///
/// A system that runs once, by [`World::run`](crate::World::run), is not a reader: it reads the
/// events that are kept, and the next such run reads them again. A reader of a run-time schedule
/// reads the events that are sent after it was added; if it is the only reader, older events are
/// dropped when a run ends.
///
/// # How many are kept
/// A reader does not read while its system is skipped by a condition that is false, while its
/// system is switched off, and while its schedule is not called. At most 131,072 unread events are
/// kept meanwhile: when a run of a schedule ends, the oldest events beyond that number are dropped.
/// If [`World::send`](crate::World::send) sends events while no schedule runs, the oldest are
/// dropped when there are twice as many. A reader that runs in every run of its schedule loses no
/// event, however many a system sends at once.
///
/// [`World::stats`](crate::World::stats) has the number of lost events, and of the unread events of
/// each reader. The first loss in a queue is reported on the standard error (with the feature
/// `trace`, as a warning of the `tracing` crate), with the system and the schedule of the slowest
/// reader. If no schedule has a reader, the same number of events is kept for `drain`, and a loss
/// is reported only if the program has called `drain` before.
///
/// Options after the event's name in `world!` change this:
///
/// | option | effect |
/// |---|---|
/// | `keep = 1024` | At most 1,024 unread events are kept. The option `full` is applied as soon as there are more. |
/// | `full = oldest` | The oldest events are dropped. This is the default if `keep` is given. |
/// | `full = newest` | The new events that do not fit are dropped. |
/// | `full = panic` | Sending panics. None of the events that the system has sent in this run is added. |
/// | `keep = all` | All unread events are kept, without a bound. |
/// | `skip = clear` | If the system of a reader is skipped, the events that wait for this reader count as seen. |
/// | `skip = keep` | The events that wait for a reader are kept, also if its system is skipped by `in_state`. |
///
/// ```
/// # use ecs::prelude::*;
/// # #[derive(Event)] struct Bumped(u32);
/// # #[derive(Event, PartialEq, Debug)] struct Key(char);
/// # #[system(Game)] fn bump(mut bumped: EventWriter<Bumped>) { bumped.send(Bumped(1)) }
/// # #[system(Game)] fn hear(mut bumped: EventReader<Bumped>) { bumped.clear() }
/// world! {
///     struct Game {
///         events {
///             Bumped(keep = 1024),                      // beyond 1024 the oldest are dropped: `full = oldest`
///             Key(external, keep = 2, full = newest),   // beyond two what is sent is dropped
///         }
///     }
///     schedule tick { bump; hear }
/// }
///
/// let mut game = Game::new();
/// for key in "abc".chars() {
///     game.send(Key(key));
/// }
/// assert_eq!(game.drain::<Key>().collect::<Vec<_>>(), [Key('a'), Key('b')]);
/// ```
///
/// A declared bound also holds for readers that run every time: if one run of a system sends more
/// than `keep` events, every reader reads at most `keep` of them.
///
/// With `skip = clear`, a system that is skipped while the game is paused does not get the clicks
/// of the pause afterwards:
///
/// ```
/// # use ecs::prelude::*;
/// #[derive(Event)]
/// struct Click;
/// #[derive(Resource, Default)]
/// struct Paused(bool);
/// #[derive(Resource, Default)]
/// struct Shots(usize);
///
/// world! {
///     struct Game { resources { Paused, Shots } events { Click(external, skip = clear) } }
///     schedule tick { shoot if !paused }
/// }
/// # #[system(Game)] fn paused(paused: Res<Paused>) -> bool { paused.0 }
/// #[system(Game)]
/// fn shoot(mut clicks: EventReader<Click>, mut shots: ResMut<Shots>) { shots.0 += clicks.iter().count(); }
///
/// let mut game = Game::default();
/// game.resource_mut::<Paused>().0 = true;
/// for _ in 0..600 {
///     game.send(Click);
///     game.tick();
/// }
/// game.resource_mut::<Paused>().0 = false;
/// game.send(Click);
/// game.tick();
/// assert_eq!(game.resource::<Shots>().0, 1); // without the option: 601
/// ```
///
/// # Events of another state
/// A reader whose system is skipped by the condition [`in_state`](crate::state::in_state) misses
/// the events that wait for it, unless the event is declared with `skip = keep`: see there.
///
/// # Cost
/// Sending pushes to a `Vec`, and reading iterates over a slice. A declared bound is checked once
/// for each run of a system that sends, which visits all readers; the default bound visits the
/// readers only when it is exceeded.
pub struct Events<E> {
    pub(crate) log: ReadQueue<E>,
    /// The number of events that were ever sent, including the lost ones.
    pub(super) sent: u64,
    /// Whether `drain` was ever called. Then a loss of events is reported even if there is no
    /// reader.
    pub(super) drained: bool,
}

impl<E> Events<E> {
    /// An empty queue without readers.
    pub const fn new() -> Self {
        Self { log: ReadQueue::new(), sent: 0, drained: false }
    }

    /// Adds an event, unless the bound excludes it.
    pub(crate) fn send<W: HasEvent<E>>(&mut self, event: E)
    where
        E: 'static,
    {
        if self.admit::<W>(1) == 1 {
            self.log.values.push_back(event);
            self.log.values.make_contiguous();
            self.shed::<W>();
            let Bound { keep, full, .. } = W::BOUND;
            if full == Full::AfterRun && self.log.values.len() / 2 > keep {
                self.drop_late::<W>(); // no schedule is running, so no end of a run would do it
            }
        }
    }

    /// Adds the events that a system has sent, and leaves the buffer empty. If the queue is empty,
    /// the two exchange their memory.
    pub(crate) fn append<W: HasEvent<E>>(&mut self, events: &mut Vec<E>)
    where
        E: 'static,
    {
        let admitted = self.admit::<W>(events.len());
        if self.log.values.is_empty() && admitted == events.len() {
            let empty = core::mem::replace(&mut self.log.values, VecDeque::from(core::mem::take(events)));
            *events = Vec::from(empty);
        } else {
            self.log.values.extend(events.drain(..admitted));
            self.log.values.make_contiguous();
        }
        self.shed::<W>();
        events.clear();
    }

    /// Counts `count` new events as sent, and returns how many of them, from the first on, are to
    /// be added; the others are lost.
    fn admit<W: HasEvent<E>>(&mut self, count: usize) -> usize
    where
        E: 'static,
    {
        let Bound { keep, full, .. } = W::BOUND;
        let lost = match full {
            Full::AfterRun | Full::Oldest => 0,
            Full::Newest | Full::Panic => (self.kept() + count).saturating_sub(keep).min(count),
        };
        if full == Full::Panic && lost > 0 {
            self.overflow::<W>(keep, count);
        }
        self.sent += count as u64;
        self.log.lost += lost as u64;
        count - lost
    }

    /// Drops the oldest events beyond the bound, if the rule is [`Full::Oldest`].
    pub(super) fn shed<W: HasEvent<E>>(&mut self)
    where
        E: 'static,
    {
        if let Bound { keep, full: Full::Oldest, .. } = W::BOUND {
            self.lose_beyond(keep);
        }
    }

    /// Drops the oldest unread events beyond `keep`, and returns how many were dropped.
    fn lose_beyond(&mut self, keep: usize) -> usize {
        let read = self.read_by_all();
        let lost = (self.log.values.len() - read).saturating_sub(keep);
        if lost > 0 {
            if self.log.values.capacity() / 2 < keep {
                self.log.values.reserve(keep); // a small ring would have to be made contiguous again after every few events
            }
            self.log.lost += lost as u64;
            self.log.free(read + lost);
        }
        lost
    }

    /// Drops the oldest unread events beyond the default bound, and reports the first loss.
    #[cold]
    #[inline(never)]
    fn drop_late<W: HasEvent<E>>(&mut self)
    where
        E: 'static,
    {
        self.log.free(self.read_by_all());
        let stats = self.stats::<W>();
        let lost = self.lose_beyond(W::BOUND.keep);
        // without a reader and without a call of `drain`, the program does not use the lost events
        if lost == 0 || self.log.warned || (stats.readers.is_empty() && !self.drained) {
            return;
        }
        self.log.warned = true;
        let (world, event, kept) = (W::WORLD_NAME, stats.event, self.kept());
        match stats.slowest() {
            Some(ReaderStats { schedule, system, unread, .. }) => warning::warn(format_args!(
                "world `{world}`: event `{event}`: `{system}` of schedule `{schedule}` is {unread} events behind, and the \
                 oldest {lost} of them were dropped: run the system, or declare how many events are kept, `{event}(keep = 1024)` or \
                 `{event}(keep = all)`, or let readers miss events while they are skipped, `{event}(skip = clear)`; this is \
                 reported once"
            )),
            None => warning::warn(format_args!(
                "world `{world}`: event `{event}`: no schedule reads it, {kept} events wait for `drain`, and {lost} older ones \
                 were dropped: call `drain` more often, or declare how many events are kept, `{event}(keep = 1024)` or \
                 `{event}(keep = all)`; this is reported once"
            )),
        }
    }

    /// Panics because the queue is full.
    #[cold]
    fn overflow<W: HasEvent<E>>(&self, keep: usize, count: usize) -> !
    where
        E: 'static,
    {
        let (world, stats) = (W::WORLD_NAME, self.stats::<W>());
        let EventStats { event, kept, .. } = stats;
        let full = format_args!("world `{world}`: event `{event}` (keep = {keep}, full = panic) is full");
        match stats.slowest() {
            Some(ReaderStats { schedule, system, unread, .. }) => panic!(
                "{full}: {kept} are kept and {count} more were sent; the slowest reader is `{system}` of schedule \
                 `{schedule}`, {unread} behind"
            ),
            None => {
                panic!(
                    "{full}: {kept} are kept and {count} more were sent; no schedule reads them: call `drain`"
                )
            }
        }
    }

    /// The number of events at the front of the queue that every reader has seen.
    fn read_by_all(&self) -> usize {
        if self.log.values.is_empty() {
            return 0;
        }
        self.log.readers.slowest().map_or(0, |cursor| self.log.position(cursor.seen()))
    }

    /// The number of events that at least one reader has not seen.
    pub(crate) fn kept(&self) -> usize {
        self.log.values.len() - self.read_by_all()
    }

    /// The number of events at the front of the queue that a reader has seen; without a reader,
    /// that every reader has seen.
    pub(super) fn skipped(&self, reader: Option<usize>) -> usize {
        let cursor = reader.and_then(|reader| self.log.readers.cursor(reader));
        cursor.map_or_else(|| self.read_by_all(), |cursor| self.log.position(cursor.seen()))
    }

    /// The number of events that a reader has missed since it last read.
    pub(super) fn missed(&self, reader: Option<usize>) -> u64 {
        let cursor = reader.and_then(|reader| self.log.readers.cursor(reader));
        cursor.map_or(0, |cursor| self.log.missed(cursor.seen()))
    }

    /// The events that a reader has not seen; without a reader, those that at least one reader has
    /// not seen.
    pub(super) fn unread(&self, reader: Option<usize>) -> &[E] {
        let skipped = self.skipped(reader);
        let (events, rest) = self.log.values.as_slices();
        debug_assert!(rest.is_empty(), "the events of a queue are contiguous after each change");
        events.get(skipped..).unwrap_or_default()
    }

    pub(crate) fn drain(&mut self) -> vec::IntoIter<E> {
        self.drained = true;
        self.log.free(self.read_by_all());
        self.log.base = self.log.end();
        Vec::from(core::mem::take(&mut self.log.values)).into_iter()
    }

    /// Drops the events that every reader has seen, and those beyond the default bound. Called at
    /// the end of a run of a schedule.
    #[doc(hidden)]
    pub fn trim<W: HasEvent<E>>(&mut self)
    where
        E: 'static,
    {
        let read = self.read_by_all();
        if read > 0 {
            self.log.free(read);
        }
        let Bound { keep, full, .. } = W::BOUND;
        if full == Full::AfterRun && self.log.values.len() > keep {
            self.drop_late::<W>();
        }
    }

    /// Counts the events that wait for a reader as seen.
    pub(crate) fn skip(&self, index: usize) {
        if let Some(cursor) = self.log.readers.cursor(index) {
            cursor.advance(self.log.end());
        }
    }

    #[doc(hidden)]
    pub fn stats<W: HasEvent<E>>(&self) -> EventStats
    where
        E: 'static,
    {
        EventStats {
            event: W::EVENT_NAMES[W::INDEX],
            kept: self.kept(),
            keep: Some(W::BOUND.keep).filter(|&keep| keep < usize::MAX),
            sent: self.sent,
            lost: self.log.lost,
            readers: self.log.stats(W::__system_names),
        }
    }
}

default!([E] Events<E>);

impl<E: Clone> Clone for Events<E> {
    fn clone(&self) -> Self {
        let Self { ref log, sent, drained } = *self;
        Self { log: log.clone(), sent, drained }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { log, sent, drained } = source;
        self.log.copy_from(log, E::clone);
        self.log.values.make_contiguous();
        self.sent = *sent;
        self.drained |= drained; // not reset by a restore, as the report of a loss is not
    }
}

debug!([E] Events<E>, |this, f| f.debug_struct("Events").field("len", &this.kept()).finish_non_exhaustive());
