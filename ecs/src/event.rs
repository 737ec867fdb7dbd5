//! Events: what happened, for whoever reads it.
//!
//! A reader is a parameter; each place in a schedule where a system with a reader stands is one subscription. Every
//! reader sees every event exactly once, in the order in which they were sent. What a system sends is seen by later
//! systems in the same run of the schedule, and by earlier ones, and by itself, in the next.
#![expect(unsafe_code, reason = "declares the trait by which fields are reached")]

use alloc::vec::{self, Vec};
use core::sync::atomic::{AtomicU64, Ordering};

use crate::world::World;

/// Something that happened. Derived: `#[derive(Event)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an event",
    label = "not an event",
    note = "add `#[derive(Event)]` to `{Self}`"
)]
pub trait Event: Sized + Send + Sync + 'static {
    /// The type's own name.
    const NAME: &'static str;
}

/// What `world!` asks about: whether it was derived. What else [`Event`] demands is said at the derive then, and only there.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an event",
    label = "not an event",
    note = "add `#[derive(Event)]` to `{Self}`"
)]
pub trait IsEvent {
    /// That it was.
    const DERIVED: () = ();
}

/// A world in which event `E` can be sent. Implemented by `world!`.
///
/// # Safety
/// As for [`Has`](crate::Has): one index and one field for each type, which is no other's.
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no event `{E}`",
    label = "`{E}` is not an event of `{Self}`",
    note = "list it: `world! {{ struct {Self} {{ events {{ {E} }} }} }}`, with `#[derive(Event)]` on the type"
)]
pub unsafe trait HasEvent<E: 'static>: World {
    /// The place of the event in the world's list.
    const INDEX: usize;
    #[doc(hidden)]
    /// # Safety
    /// `this` points to a world.
    unsafe fn __events_ptr(this: *mut Self) -> *mut Events<E>;
}

/// The events of one type that are kept: those that some reader in a schedule has not read.
///
/// If no schedule reads the type at all they are kept until [`World::drain`] takes them.
pub struct Events<E> {
    queue: Vec<E>,
    /// The number of events sent before the first one in the queue.
    base: u64,
    /// For each place with a reader, the number of events that it has seen or missed.
    cursors: Vec<AtomicU64>,
}

impl<E> Events<E> {
    /// No events.
    pub const fn new() -> Self {
        Self { queue: Vec::new(), base: 0, cursors: Vec::new() }
    }

    pub(crate) fn send(&mut self, event: E) {
        self.queue.push(event);
    }

    pub(crate) fn append(&mut self, events: &mut Vec<E>) {
        self.queue.append(events);
    }

    pub(crate) fn len(&self) -> usize {
        self.queue.len()
    }

    /// A new reader, which sees what is sent from now on.
    fn subscribe(&mut self) -> usize {
        self.cursors.push(AtomicU64::new(self.end()));
        self.cursors.len() - 1
    }

    fn end(&self) -> u64 {
        self.base + self.queue.len() as u64
    }

    /// How many events at the front of the queue every reader has seen.
    fn read_by_all(&self) -> usize {
        let seen = self.cursors.iter().map(|cursor| cursor.load(Ordering::Relaxed)).min().unwrap_or(0);
        seen.saturating_sub(self.base).min(self.queue.len() as u64) as usize
    }

    /// What comes after the first `seen` events, as far as it is kept.
    fn after(&self, seen: u64) -> &[E] {
        let skip = seen.saturating_sub(self.base).min(self.queue.len() as u64);
        &self.queue[skip as usize..]
    }

    pub(crate) fn drain(&mut self) -> vec::IntoIter<E> {
        self.free(self.read_by_all());
        self.base = self.end();
        core::mem::take(&mut self.queue).into_iter()
    }

    #[doc(hidden)]
    pub fn clear(&mut self) {
        self.base = self.end();
        self.queue.clear();
    }

    /// Frees what every reader has seen.
    #[doc(hidden)]
    pub fn trim(&mut self) {
        let read = self.read_by_all();
        if read > 0 && read >= self.queue.len() / 2 {
            self.free(read);
        }
    }

    /// Drops the first events. They are counted out before, in case that a drop panics.
    fn free(&mut self, count: usize) {
        self.base += count as u64;
        self.queue.drain(..count);
    }
}

impl<E> Default for Events<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Clone> Clone for Events<E> {
    fn clone(&self) -> Self {
        let cursors = self.cursors.iter().map(|cursor| AtomicU64::new(cursor.load(Ordering::Relaxed)));
        Self { queue: self.queue.clone(), base: self.base, cursors: cursors.collect() }
    }
}

impl<E> core::fmt::Debug for Events<E> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Events").field("len", &self.len()).finish_non_exhaustive()
    }
}

/// As a parameter: the events of type `E` that this system, at this place, has not read.
///
/// Each place in a schedule is a reader of its own: a system that stands in two schedules sees every event twice, once
/// at each place.
pub struct EventReader<'w, E> {
    unread: &'w [E],
    cursor: Option<(&'w AtomicU64, u64)>,
}

/// What an [`EventReader`] remembers: its subscription.
#[derive(Clone)]
pub struct Subscription(Option<usize>);

impl Subscription {
    /// A subscription of a place in a schedule, or, for a system that runs once, none.
    pub(crate) fn new<E>(events: &mut Events<E>, place: bool) -> Self {
        Self(place.then(|| events.subscribe()))
    }
}

impl<'w, E> EventReader<'w, E> {
    /// A reader of these events, for calling a system as the function it is.
    pub const fn new(unread: &'w [E]) -> Self {
        Self { unread, cursor: None }
    }

    pub(crate) fn of(events: &'w Events<E>, subscription: &Subscription) -> Self {
        let cursor = subscription.0.and_then(|index| events.cursors.get(index));
        let seen = cursor.map_or(0, |cursor| cursor.load(Ordering::Relaxed));
        Self { unread: events.after(seen), cursor: cursor.map(|cursor| (cursor, events.end())) }
    }

    pub(crate) fn reborrow(&mut self) -> EventReader<'_, E> {
        EventReader { unread: self.unread, cursor: self.cursor }
    }

    /// The unread events, in the order in which they were sent. They count as read from now on.
    pub fn iter(&mut self) -> core::slice::Iter<'w, E> {
        let unread = self.unread;
        self.clear();
        unread.iter()
    }

    /// Whether there is nothing to read.
    pub fn is_empty(&self) -> bool {
        self.unread.is_empty()
    }

    /// How many events there are to read.
    pub fn len(&self) -> usize {
        self.unread.len()
    }

    /// Counts all events as read.
    pub fn clear(&mut self) {
        self.unread = &[];
        if let Some((cursor, end)) = self.cursor {
            cursor.store(end, Ordering::Relaxed);
        }
    }
}

impl<'w, E> IntoIterator for &mut EventReader<'w, E> {
    type Item = &'w E;
    type IntoIter = core::slice::Iter<'w, E>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// As a parameter: sends events of type `E`, which arrive when the system is done.
///
/// Events are kept until every place that reads the type has read them: a reader behind a condition that stays false, or
/// an `external` type that nobody drains, lets them pile up.
pub struct EventWriter<'w, E> {
    buffer: &'w mut Vec<E>,
}

impl<'w, E> EventWriter<'w, E> {
    /// A writer into `buffer`, for calling a system as the function it is.
    pub const fn new(buffer: &'w mut Vec<E>) -> Self {
        Self { buffer }
    }

    pub(crate) fn reborrow(&mut self) -> EventWriter<'_, E> {
        EventWriter { buffer: self.buffer }
    }

    /// Sends an event.
    pub fn send(&mut self, event: E) {
        self.buffer.push(event);
    }
}

impl<E> Extend<E> for EventWriter<'_, E> {
    fn extend<I: IntoIterator<Item = E>>(&mut self, events: I) {
        self.buffer.extend(events);
    }
}

impl<E> core::fmt::Debug for EventReader<'_, E> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("EventReader").field("len", &self.len()).finish()
    }
}

impl<E> core::fmt::Debug for EventWriter<'_, E> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("EventWriter").field("sent", &self.buffer.len()).finish()
    }
}
