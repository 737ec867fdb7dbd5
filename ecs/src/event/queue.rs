//! The events of one type that a world keeps, and how many it keeps at most.
//!
//! The queue is a ring whose events lie in one piece whenever it is at rest: readers are lent a slice, and what was
//! read or lost is dropped at once without moving what is left.

use alloc::collections::VecDeque;
use alloc::vec::{self, Vec};
use core::sync::atomic::{AtomicU64, Ordering};

use super::HasEvent;
use crate::base::place::Place;
use crate::base::reader_stats::{EventStats, ReaderStats};
use crate::base::warning;
#[cfg(feature = "serde")]
use crate::entity::image::LATEST;
#[cfg(feature = "serde")]
use crate::save::image::{EventsImage, KeptValues, ReaderImage, SystemPaths, readers_of};

/// The bound of an event type, as declared in its world: `keep = 64, full = newest, skip = clear`.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// The most events that are kept for readers that have not read them.
    pub keep: usize,
    /// The rule for events beyond `keep`.
    pub full: Full,
    /// Whether a reader misses the events that are there when its system is skipped.
    pub clear: bool,
}

impl Bound {
    /// The bound of an event whose declaration gives none.
    pub const DEFAULT: Self = Self { keep: 1 << 17, full: Full::AfterRun, clear: false };
}

/// What happens to events that do not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Full {
    /// The oldest are dropped when the run of a schedule ends, so that a burst reaches all readers that come after it.
    AfterRun,
    /// The oldest are dropped.
    Oldest,
    /// The events that do not fit are dropped.
    Newest,
    /// Sending panics.
    Panic,
}

/// The events of one type that are kept: those that some reader in a schedule has not read.
///
/// They are dropped at the end of the run of a schedule after which every reader has read them.
///
/// # Without a reader
/// If no schedule has a reader of the type, events are kept for [`World::drain`](crate::World::drain), whether they are sent by systems
/// or by [`World::send`](crate::World::send): the newest of them, up to the bound below. An `external` event that the program neither
/// reads nor drains takes memory up to that bound; `keep = 1` makes it one event. A system that runs once, by
/// [`World::run`](crate::World::run), reads the events that are kept, and frees none: it is no reader, and the next run reads them again.
/// A reader of a run-time schedule sees what is sent after it was added, and events from before are then dropped when a run ends.
///
/// # How many are kept
/// A reader does not read while its system is skipped by a condition that is false, while its system is switched off, and
/// while its schedule is not called. Meanwhile events wait for it, 131,072 at most: when a run of a schedule ends, the
/// oldest of those beyond that number are dropped, and of events that [`World::send`](crate::World::send) sends while no
/// schedule runs, those beyond twice that number. A reader that runs each time loses nothing, however many events a
/// system sends at once. [`World::stats`](crate::World::stats) counts lost events and tells how far each reader is
/// behind; the first loss in a queue is reported on the standard error (with the feature `trace`, as a warning of the
/// `tracing` crate), with the system and the schedule of the slowest reader. The same number of events waits for `drain`
/// where no schedule has a reader; their loss is reported only if the program has called `drain` before.
///
/// The options behind the type change that:
///
/// | option | effect |
/// |---|---|
/// | `keep = 1024` | At most 1,024 events wait. `full` says what happens beyond, as soon as it happens. |
/// | `full = oldest` | The oldest are dropped. This is the default beside `keep`. |
/// | `full = newest` | The events that do not fit are dropped. |
/// | `full = panic` | Sending panics, and none of the events that were sent at once arrives. |
/// | `keep = all` | All events wait, without a bound. |
/// | `skip = clear` | A reader whose system is skipped misses the events that wait for it at that time. |
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
/// A declared bound also holds for readers that run each time: if one run of a system sends more than `keep` events, every
/// reader sees `keep` of them at most.
///
/// With `skip = clear` a game that is paused does not collect the clicks that are meant for its menu:
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
/// # Cost
/// Sending costs as much as pushing to a `Vec`, and reading as much as walking a slice. A declared bound counts the readers once for
/// each run of a system that sends, the default bound only when it is reached.
pub struct Events<E> {
    queue: VecDeque<E>,
    /// The number of events admitted before the first one in the queue.
    base: u64,
    /// All that were ever sent, the lost ones too.
    sent: u64,
    /// Those that the bound dropped before every reader had read them.
    lost: u64,
    /// One for each reader, by its number; none where one has left.
    cursors: Vec<Option<EventCursor>>,
    /// Whether `drain` was ever called: then the loss of events is reported even if there is no reader.
    drained: bool,
    /// Whether the loss of events was reported.
    warned: bool,
}

/// How far a place with a reader is.
#[derive(Debug)]
pub(super) struct EventCursor {
    /// The number of events that it has seen or missed.
    seen: AtomicU64,
    place: Place,
}

impl EventCursor {
    pub(super) fn advance(&self, to: u64) {
        self.seen.store(to, Ordering::Relaxed);
    }

    fn seen(&self) -> u64 {
        self.seen.load(Ordering::Relaxed)
    }
}

impl Clone for EventCursor {
    fn clone(&self) -> Self {
        let Self { seen: _, place } = self;
        Self { seen: AtomicU64::new(self.seen()), place: *place }
    }
}

impl<E> Events<E> {
    /// No events.
    pub const fn new() -> Self {
        Self {
            queue: VecDeque::new(),
            base: 0,
            sent: 0,
            lost: 0,
            cursors: Vec::new(),
            drained: false,
            warned: false,
        }
    }

    /// Takes in one event, or what the bound says.
    pub(crate) fn send<W: HasEvent<E>>(&mut self, event: E)
    where
        E: 'static,
    {
        if self.admit::<W>(1) == 1 {
            self.queue.push_back(event);
            self.queue.make_contiguous();
            self.shed::<W>();
            let Bound { keep, full, .. } = W::BOUND;
            if full == Full::AfterRun && self.queue.len() / 2 > keep {
                self.drop_late::<W>(); // without a run of a schedule nothing else would
            }
        }
    }

    /// Takes in what a system has sent, which leaves the buffer empty. An empty queue trades its memory for the buffer's.
    pub(crate) fn append<W: HasEvent<E>>(&mut self, events: &mut Vec<E>)
    where
        E: 'static,
    {
        let admitted = self.admit::<W>(events.len());
        if self.queue.is_empty() && admitted == events.len() {
            let empty = core::mem::replace(&mut self.queue, VecDeque::from(core::mem::take(events)));
            *events = Vec::from(empty);
        } else {
            self.queue.extend(events.drain(..admitted));
            self.queue.make_contiguous();
        }
        self.shed::<W>();
        events.clear();
    }

    /// How many of `count` new events, the first of them, are taken in; the others are lost.
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
        self.lost += lost as u64;
        count - lost
    }

    /// Drops the oldest events that are more than the bound allows.
    fn shed<W: HasEvent<E>>(&mut self)
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
        let lost = (self.queue.len() - read).saturating_sub(keep);
        if lost > 0 {
            if self.queue.capacity() / 2 < keep {
                self.queue.reserve(keep); // else the ring would have to be straightened with every few events
            }
            self.lost += lost as u64;
            self.free(read + lost);
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
        self.free(self.read_by_all());
        let stats = self.stats::<W>();
        let lost = self.lose_beyond(W::BOUND.keep);
        // without a reader, and without a call of `drain`, no event is missed
        if lost == 0 || self.warned || (stats.readers.is_empty() && !self.drained) {
            return;
        }
        self.warned = true;
        let (world, event, kept) = (W::NAME, stats.event, self.kept());
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

    #[cold]
    fn overflow<W: HasEvent<E>>(&self, keep: usize, count: usize) -> !
    where
        E: 'static,
    {
        let (world, stats) = (W::NAME, self.stats::<W>());
        let EventStats { event, kept, .. } = stats;
        let full = format_args!("world `{world}`: event `{event}` (keep = {keep}, full = panic) is full");
        match stats.slowest() {
            Some(ReaderStats { schedule, system, unread, .. }) => panic!(
                "{full}: {kept} are kept and {count} more were sent; the slowest reader is `{system}` of schedule \
                 `{schedule}`, {unread} behind"
            ),
            None => {
                panic!("{full}: {kept} are kept and {count} more were sent; nothing but `drain` takes them")
            }
        }
    }

    /// A new reader, which sees what is sent from now on.
    pub(super) fn subscribe(&mut self, place: Place) -> usize {
        let cursor = Some(EventCursor { seen: AtomicU64::new(self.end()), place });
        match self.cursors.iter().position(Option::is_none) {
            Some(left) => {
                self.cursors[left] = cursor;
                left
            }
            None => {
                self.cursors.push(cursor);
                self.cursors.len() - 1
            }
        }
    }

    /// A reader leaves: nothing is kept for it any more.
    pub(super) fn unsubscribe(&mut self, index: usize) {
        if let Some(cursor) = self.cursors.get_mut(index) {
            *cursor = None;
        }
    }

    fn readers(&self) -> impl Iterator<Item = &EventCursor> {
        self.cursors.iter().flatten()
    }

    pub(super) fn cursor(&self, index: usize) -> Option<&EventCursor> {
        self.cursors.get(index)?.as_ref()
    }

    pub(super) fn end(&self) -> u64 {
        self.base + self.queue.len() as u64
    }

    /// How many events at the front of the queue every reader has seen.
    fn read_by_all(&self) -> usize {
        if self.queue.is_empty() {
            return 0;
        }
        self.readers().map(|cursor| self.skipped(cursor.seen())).min().unwrap_or(0)
    }

    /// How many events in the queue are among the first `seen` of all.
    fn skipped(&self, seen: u64) -> usize {
        seen.saturating_sub(self.base).min(self.queue.len() as u64) as usize
    }

    /// How many events some reader has not seen.
    pub(crate) fn kept(&self) -> usize {
        self.queue.len() - self.read_by_all()
    }

    /// What a reader has not seen; without a cursor, what some reader has not seen.
    pub(super) fn unread(&self, cursor: Option<&EventCursor>) -> &[E] {
        let skipped = cursor.map_or_else(|| self.read_by_all(), |cursor| self.skipped(cursor.seen()));
        let (events, rest) = self.queue.as_slices();
        debug_assert!(rest.is_empty(), "whoever adds events leaves them in one piece");
        events.get(skipped..).unwrap_or_default()
    }

    pub(crate) fn drain(&mut self) -> vec::IntoIter<E> {
        self.drained = true;
        self.free(self.read_by_all());
        self.base = self.end();
        Vec::from(core::mem::take(&mut self.queue)).into_iter()
    }

    /// Drops the events that every reader has seen, and those beyond the default bound: at the end of a run.
    #[doc(hidden)]
    pub fn trim<W: HasEvent<E>>(&mut self)
    where
        E: 'static,
    {
        let read = self.read_by_all();
        if read > 0 {
            self.free(read);
        }
        let Bound { keep, full, .. } = W::BOUND;
        if full == Full::AfterRun && self.queue.len() > keep {
            self.drop_late::<W>();
        }
    }

    /// Lets a reader miss the events that wait for it.
    pub(super) fn skip(&self, index: usize) {
        if let Some(cursor) = self.cursor(index) {
            cursor.advance(self.end());
        }
    }

    /// The number of events that were dropped before the reader had read them.
    pub(super) fn missed(&self, cursor: &EventCursor) -> u64 {
        self.base.saturating_sub(cursor.seen())
    }

    /// Drops the first events. They are counted out before, in case that a drop panics.
    fn free(&mut self, count: usize) {
        self.base += count as u64;
        self.queue.drain(..count);
    }

    #[doc(hidden)]
    pub fn stats<W: HasEvent<E>>(&self) -> EventStats
    where
        E: 'static,
    {
        let readers = self.cursors.iter().enumerate().filter_map(|(number, cursor)| {
            let cursor = cursor.as_ref()?;
            let (schedule, system) = W::__system_names(cursor.place);
            let (unread, missed) = (self.unread(Some(cursor)).len(), self.missed(cursor));
            Some(ReaderStats { schedule, system, unread, missed, read: self.end() - unread as u64, number })
        });
        EventStats {
            event: W::EVENTS[W::INDEX],
            kept: self.kept(),
            keep: Some(W::BOUND.keep).filter(|&keep| keep < usize::MAX),
            sent: self.sent,
            lost: self.lost,
            readers: readers.collect(),
        }
    }
}

/// How events are saved and loaded.
#[cfg(feature = "serde")]
impl<E> Events<E> {
    /// What is saved.
    pub(crate) fn image(&self, paths: &SystemPaths) -> EventsImage<&[E]> {
        let Self { queue, base, sent, lost, cursors, drained: _, warned: _ } = self;
        let before = (*base).min(LATEST);
        let readers = cursors.iter().flatten().filter_map(|cursor| {
            let (at, seen) = (paths.of(cursor.place)?, cursor.seen().min(self.end()));
            Some(ReaderImage { at: at.into(), seen: seen.saturating_sub(base - before) })
        });
        let (kept, _) = queue.as_slices();
        let sent = (*sent).min(LATEST);
        let lost = (*lost).min(sent.saturating_sub(kept.len() as u64));
        EventsImage { before, sent, lost, readers: readers.collect(), kept }
    }

    /// Takes on what a file says. The readers of this world are there; those of which the file knows nothing begin at the end.
    /// Beyond the bound of the world, events are lost as if they were sent now.
    pub(crate) fn restore<W: HasEvent<E>>(
        &mut self,
        image: EventsImage<KeptValues<E>>,
        paths: &SystemPaths,
    ) -> Result<(), &'static str>
    where
        E: 'static,
    {
        let EventsImage { before, sent, lost, readers, kept: KeptValues(kept) } = image;
        if before > LATEST || sent > LATEST || lost > sent {
            return Err("more events were lost than sent, or a count is out of range");
        }
        // what is kept was sent, and is not lost, whatever the file says of it
        let sent = sent.max(lost.saturating_add(kept.len() as u64));
        (self.base, self.sent, self.lost, self.queue) = (before, sent, lost, kept.into());
        let end = self.end();
        let seen = readers_of(&readers, end)?;
        let mut taken = alloc::vec![false; seen.len()];
        for cursor in self.cursors.iter_mut().flatten() {
            let at = paths.of(cursor.place);
            let found = (0..seen.len()).find(|&i| !taken[i] && Some(readers[i].at.as_str()) == at);
            cursor.advance(found.map_or(end, |i| {
                taken[i] = true;
                seen[i]
            }));
        }
        self.shed::<W>();
        if let Bound { keep, full: Full::Newest | Full::Panic, .. } = W::BOUND {
            let over = self.kept().saturating_sub(keep);
            self.lost += over as u64;
            self.queue.truncate(self.queue.len() - over);
            let end = self.end();
            self.readers().for_each(|cursor| cursor.advance(cursor.seen().min(end)));
        }
        Ok(())
    }
}

impl<E> Default for Events<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Clone> Clone for Events<E> {
    fn clone(&self) -> Self {
        let Self { base, sent, lost, drained, warned, ref queue, ref cursors } = *self;
        Self { queue: queue.clone(), base, sent, lost, cursors: cursors.clone(), drained, warned }
    }

    fn clone_from(&mut self, source: &Self) {
        // what was reported stays reported, whichever world this becomes
        let Self { base, sent, lost, drained, warned, queue, cursors } = source;
        (self.base, self.sent, self.lost) = (*base, *sent, *lost);
        (self.drained, self.warned) = (self.drained | drained, self.warned | warned);
        self.cursors.clone_from(cursors);
        self.queue.clone_from(queue);
        self.queue.make_contiguous();
    }
}

impl<E> core::fmt::Debug for Events<E> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Events").field("len", &self.kept()).finish_non_exhaustive()
    }
}
