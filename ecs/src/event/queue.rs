//! The events of one type that a world keeps, and how many it keeps at most.
//!
//! The queue is a ring whose events lie in one piece whenever it is at rest: readers are lent a slice, and what was
//! read or lost is dropped at once without moving what is left.

use alloc::collections::VecDeque;
use alloc::vec::{self, Vec};
use core::sync::atomic::{AtomicU64, Ordering};

use super::HasEvent;
#[cfg(feature = "serde")]
use crate::entity::image::LATEST;
#[cfg(feature = "serde")]
use crate::save::image::{EventsImage, KeptValues, Keys, ReaderImage, readers_of};
use crate::schedule::Place;
use crate::world::{EventStats, ReaderStats};

/// How many events of a type are kept: what `keep = 64, full = newest` says.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    /// At most so many that some reader has not read.
    pub keep: usize,
    /// What happens beyond.
    pub full: Full,
}

/// What happens to events that do not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Full {
    /// The oldest are dropped.
    Oldest,
    /// What is sent is dropped.
    Newest,
    /// A panic.
    Panic,
}

/// The events of one type that are kept: those that some reader in a schedule has not read.
///
/// They are dropped at the end of the run of a schedule after which every reader has read them. If no schedule reads the
/// type at all they are kept until [`World::drain`](crate::World::drain) takes them.
///
/// # How many are kept
/// As many as there are, unless the world says otherwise. A reader that does not run, behind a condition that stays
/// false, keeps events: [`World::stats`](crate::World::stats) names it. A bound is written behind the type:
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
/// With `full = panic` there is a panic instead, and nothing of what was sent at once arrives. The bound holds for every
/// reader, the fast ones too: of more than `keep` events that one run of a system sends they see `keep`.
///
/// # Cost
/// Sending and reading are what pushing to a `Vec` and walking a slice are. A bound counts the readers once for each
/// run of a system that sends.
pub struct Events<E> {
    queue: VecDeque<E>,
    /// The number of events admitted before the first one in the queue.
    base: u64,
    /// All that were ever sent, the lost ones too.
    sent: u64,
    /// Those that the bound dropped before every reader had read them.
    lost: u64,
    /// One for each reader, by its number; none where one has left.
    cursors: Vec<Option<Cursor>>,
}

/// How far a place with a reader is.
#[derive(Debug)]
pub(super) struct Cursor {
    /// The number of events that it has seen or missed.
    seen: AtomicU64,
    place: Place,
}

impl Cursor {
    pub(super) fn advance(&self, to: u64) {
        self.seen.store(to, Ordering::Relaxed);
    }

    fn seen(&self) -> u64 {
        self.seen.load(Ordering::Relaxed)
    }
}

impl Clone for Cursor {
    fn clone(&self) -> Self {
        let Self { seen: _, place } = self;
        Self { seen: AtomicU64::new(self.seen()), place: *place }
    }
}

impl<E> Events<E> {
    /// No events.
    pub const fn new() -> Self {
        Self { queue: VecDeque::new(), base: 0, sent: 0, lost: 0, cursors: Vec::new() }
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
        let over = W::BOUND.map_or(0, |bound| (self.kept() + count).saturating_sub(bound.keep)).min(count);
        let lost = match W::BOUND {
            Some(Bound { full: Full::Newest, .. }) => over,
            Some(Bound { full: Full::Panic, keep }) if over > 0 => self.overflow::<W>(keep, count),
            _ => 0,
        };
        self.sent += count as u64;
        self.lost += lost as u64;
        count - lost
    }

    /// Drops the oldest events that are more than the bound allows.
    fn shed<W: HasEvent<E>>(&mut self)
    where
        E: 'static,
    {
        if let Some(Bound { keep, full: Full::Oldest }) = W::BOUND {
            let read = self.read_by_all();
            let lost = (self.queue.len() - read).saturating_sub(keep);
            if lost > 0 {
                if self.queue.capacity() / 2 < keep {
                    self.queue.reserve(keep); // else the ring would have to be straightened with every few events
                }
                self.lost += lost as u64;
                self.free(read + lost);
            }
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
        let cursor = Some(Cursor { seen: AtomicU64::new(self.end()), place });
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

    fn readers(&self) -> impl Iterator<Item = &Cursor> {
        self.cursors.iter().flatten()
    }

    pub(super) fn cursor(&self, index: usize) -> Option<&Cursor> {
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
    pub(super) fn unread(&self, cursor: Option<&Cursor>) -> &[E] {
        let skipped = cursor.map_or_else(|| self.read_by_all(), |cursor| self.skipped(cursor.seen()));
        let (events, rest) = self.queue.as_slices();
        debug_assert!(rest.is_empty(), "whoever adds events leaves them in one piece");
        events.get(skipped..).unwrap_or_default()
    }

    pub(crate) fn drain(&mut self) -> vec::IntoIter<E> {
        self.trim();
        self.base = self.end();
        Vec::from(core::mem::take(&mut self.queue)).into_iter()
    }

    /// Drops what every reader has seen.
    #[doc(hidden)]
    pub fn trim(&mut self) {
        let read = self.read_by_all();
        if read > 0 {
            self.free(read);
        }
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
            let (schedule, system) = cursor.place.names::<W>();
            let unread = self.unread(Some(cursor)).len();
            Some(ReaderStats { schedule, system, unread, read: self.end() - unread as u64, number })
        });
        EventStats {
            event: W::EVENTS[W::INDEX],
            kept: self.kept(),
            keep: W::BOUND.map(|bound| bound.keep),
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
    pub(crate) fn image(&self, keys: &Keys) -> EventsImage<&[E]> {
        let Self { queue, base, sent, lost, cursors } = self;
        let before = (*base).min(LATEST);
        let readers = cursors.iter().flatten().filter_map(|cursor| {
            let (at, seen) = (keys.of(cursor.place)?, cursor.seen().min(self.end()));
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
        keys: &Keys,
    ) -> Result<(), &'static str>
    where
        E: 'static,
    {
        let EventsImage { before, sent, lost, readers, kept: KeptValues(kept) } = image;
        if before > LATEST || sent > LATEST || lost > sent {
            return Err("more were lost than sent, or sent than there can be");
        }
        // what is kept was sent, and is not lost, whatever the file says of it
        let sent = sent.max(lost.saturating_add(kept.len() as u64));
        (self.base, self.sent, self.lost, self.queue) = (before, sent, lost, kept.into());
        let end = self.end();
        let seen = readers_of(&readers, end)?;
        let mut taken = alloc::vec![false; seen.len()];
        for cursor in self.cursors.iter_mut().flatten() {
            let at = keys.of(cursor.place);
            let found = (0..seen.len()).find(|&i| !taken[i] && Some(readers[i].at.as_str()) == at);
            cursor.advance(found.map_or(end, |i| {
                taken[i] = true;
                seen[i]
            }));
        }
        self.shed::<W>();
        if let Some(Bound { keep, full: Full::Newest | Full::Panic }) = W::BOUND {
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
        let Self { queue, base, sent, lost, cursors } = self;
        Self { queue: queue.clone(), base: *base, sent: *sent, lost: *lost, cursors: cursors.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        let Self { queue, base, sent, lost, cursors } = source;
        (self.base, self.sent, self.lost) = (*base, *sent, *lost);
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
