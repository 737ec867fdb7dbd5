//! Events: what happened, for whoever reads it.
//!
//! A reader is a parameter; each place in a schedule where a system with a reader stands is one subscription. Every
//! reader sees every event exactly once, in the order in which they were sent. What a system sends is seen by later
//! systems in the same run of the schedule, and by earlier ones, and by itself, in the next.
//!
//! What is kept for slow readers, and how much of it, is the business of [`queue`].
#![expect(unsafe_code, reason = "declares the trait by which fields are reached")]

mod queue;

use alloc::vec::Vec;

use queue::EventCursor;
pub use queue::{Bound, Events, Full};

use crate::base::place::Place;
use crate::base::thread_safe::ThreadSafe;
use crate::system::StateParts;
use crate::world::{World, WorldCell};

/// Something that happened. Derived: `#[derive(Event)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an event",
    label = "not an event",
    note = "add `#[derive(Event)]` to `{Self}`"
)]
pub trait Event: Sized + ThreadSafe {
    /// The type's own name.
    const EVENT_NAME: &'static str;
}

/// A type with `#[derive(Event)]`. The trait has no supertrait: `world!` asks for [`ThreadSafe`] apart, so that each mistake has
/// one message.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an event",
    label = "not an event",
    note = "add `#[derive(Event)]` to `{Self}`"
)]
pub trait IsEvent {
    /// Named by `world!`, which asks for the bound.
    const DERIVED: () = ();
}

/// A world in which event `E` can be sent. Implemented by `world!`.
///
/// # Safety
/// As for [`Has`](crate::Has): one index and one field for each type, which is no other's, and `E` is [`ThreadSafe`].
#[diagnostic::on_unimplemented(
    message = "world `{Self}` has no event `{E}`",
    label = "`{E}` is not an event of `{Self}`",
    note = "list it in the `world!` of `{Self}`: `events {{ {E} }}`, with `#[derive(Event)]` on the type"
)]
pub unsafe trait HasEvent<E: 'static>: World {
    /// The place of the event in the world's list.
    const INDEX: usize;
    /// The bound of the event, as the world declares it.
    #[doc(hidden)]
    const BOUND: Bound = Bound::DEFAULT;
    #[doc(hidden)]
    /// # Safety
    /// `this` points to a world.
    unsafe fn __events_ptr(this: *mut Self) -> *mut Events<E>;
}

/// An event of world `W`. Implemented wherever it holds.
pub trait SentTo<W: World>: Sized + 'static {
    #[doc(hidden)]
    fn send_to(self, world: &mut W);
}

impl<W: HasEvent<E>, E: 'static> SentTo<W> for E {
    fn send_to(self, world: &mut W) {
        // SAFETY: the world is borrowed mutably, and nothing else of it is lent.
        unsafe { &mut *WorldCell::new(world).events_ptr::<E>() }.send::<W>(self);
    }
}

/// As a parameter: the events of type `E` that this system, at this place, has not read.
///
/// Each place in a schedule is a reader of its own: a system that stands in two schedules sees every event twice, once
/// at each place. A per-entity system lends its reader to every call: each entity sees all that is unread, and it counts
/// as read once one of them has read it.
///
/// What it lends is a slice: walking it costs what walking a slice costs, and holds up nobody else who reads.
pub struct EventReader<'w, E> {
    unread: &'w [E],
    missed: u64,
    cursor: Option<(&'w EventCursor, u64)>,
}

/// What an [`EventReader`] remembers: its subscription.
#[derive(Clone, Default)]
pub struct EventReaderState(Option<usize>);

// how far the reader is, its queue knows
impl StateParts for EventReaderState {}

impl EventReaderState {
    /// Begins it, for a place in a schedule; a system that runs once has none.
    pub(crate) fn begin<E>(&mut self, events: &mut Events<E>, place: Option<Place>) {
        self.0 = place.map(|place| events.subscribe(place));
    }

    /// ClosureState when the reader's system was skipped, if the event is declared `skip = clear`.
    pub(crate) fn skip<E>(&self, events: &Events<E>) {
        if let Some(index) = self.0 {
            events.skip(index);
        }
    }

    /// Ends it.
    pub(crate) fn end<E>(&mut self, events: &mut Events<E>) {
        if let Some(index) = self.0.take() {
            events.unsubscribe(index);
        }
    }
}

impl<'w, E> EventReader<'w, E> {
    /// A reader of these events, for calling a system as the function it is.
    pub const fn new(unread: &'w [E]) -> Self {
        Self { unread, missed: 0, cursor: None }
    }

    pub(crate) fn of(events: &'w Events<E>, subscription: &EventReaderState) -> Self {
        let cursor = subscription.0.and_then(|index| events.cursor(index));
        let missed = cursor.map_or(0, |cursor| events.missed(cursor));
        Self { unread: events.unread(cursor), missed, cursor: cursor.map(|cursor| (cursor, events.end())) }
    }

    pub(crate) fn reborrow(&mut self) -> EventReader<'_, E> {
        EventReader { ..*self }
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

    /// The number of events that this reader has missed since it last read: a bound dropped them, or [`World::drain`] took them.
    /// See [`Events`] for when that happens.
    pub fn missed(&self) -> u64 {
        self.missed
    }

    /// Counts all events as read.
    pub fn clear(&mut self) {
        self.unread = &[];
        self.missed = 0;
        if let Some((cursor, end)) = self.cursor {
            cursor.advance(end);
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
/// Events are kept until every place that reads the type has read them, up to a bound: see [`Events`]. A bound that is set
/// in the declaration of the world is looked at when the system is done, so that a type with `full = panic` panics then.
///
/// Any number of systems send one type: what they send arrives system by system, in the order in which they ran.
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
