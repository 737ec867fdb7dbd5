//! Events: values that systems send with an [`EventWriter`] and read with an [`EventReader`].
//!
//! Each place in a schedule of a system with an `EventReader` is one reader. Every reader gets
//! every event once, in the order in which the events were sent. An event is read by later systems
//! in the same run of the schedule, and in the next run by earlier systems and by the system that
//! sent it. [`Events`] is the queue of an event type, whose declaration bounds the number of events
//! that wait for slow readers.

pub(crate) mod queue;
#[cfg(feature = "serde")]
mod saved;

use alloc::vec::Vec;

pub use crate::base::reader_stats::{EventStats, ReaderStats};
pub use crate::raw_world::HasEvent;
pub(crate) use queue::Bound;
pub use queue::Events;

use crate::base::thread_safe::ThreadSafe;
use crate::raw_world::{RawWorld, WorldFields};
use crate::storage::readers::LogReading;

/// A type of events: values that systems send and read. Implemented by `#[derive(Event)]`.
///
/// Readers share each event and may run at the same time. If they change it behind the shared
/// reference, through a lock or an atomic, the result depends on the order in which they run: an
/// event should hold plain values.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component)] struct Health(u32);
/// #[derive(Event)] struct Died(Entity);
/// #[derive(Resource, Default)] struct Deaths(usize);
///
/// world! {
///     struct Game { components { Health } resources { Deaths } events { Died } }
///     schedule tick { check; count }
/// }
///
/// #[system(Game)]
/// fn check(healths: Query<(Entity, &Health)>, mut died: EventWriter<Died>) {
///     died.extend(healths.iter().filter(|(_, health)| health.0 == 0).map(|(entity, _)| Died(entity)));
/// }
/// #[system(Game)]
/// fn count(mut died: EventReader<Died>, mut deaths: ResMut<Deaths>) {
///     deaths.0 += died.iter().count();
/// }
///
/// let mut game = Game::new(Deaths::default());
/// game.spawn_batch([0, 3, 0].map(Health));
/// game.tick();
/// assert_eq!(game.resource::<Deaths>().0, 2);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an event",
    label = "not an event",
    note = "add `#[derive(Event)]` to `{Self}`"
)]
pub trait Event: Sized + ThreadSafe {
    /// The name of the type, without its path.
    const EVENT_NAME: &'static str;
}

/// Marks types with `#[derive(Event)]`. It has no supertrait: `world!` checks [`ThreadSafe`]
/// separately, so that each mistake gives one compile error.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an event",
    label = "not an event",
    note = "add `#[derive(Event)]` to `{Self}`"
)]
#[doc(hidden)]
pub trait IsEvent {
    /// The mistake that `#[event(check = ..)]` has found. Named by the expansion of `world!`, also
    /// to check the bound.
    const DERIVED: Option<&'static str> = None;
}

/// The event types of world `W`: implemented for `E` if `W` implements [`HasEvent<E>`].
pub trait SentTo<W: RawWorld>: Sized + 'static {
    #[doc(hidden)]
    fn send_to(self, world: &mut W);
}

impl<W: HasEvent<E>, E: 'static> SentTo<W> for E {
    fn send_to(self, world: &mut W) {
        // SAFETY: the world is borrowed mutably, and no other reference to a part of it exists.
        world.events_of_mut::<E>().send::<W>(self);
    }
}

/// System parameter: reads the events of type `E` that this system, at this place in a schedule,
/// has not read yet.
///
/// Each place in a schedule is a reader of its own: a system in two schedules reads every event
/// twice, once at each place. In a per-entity system, every call gets the same unread events, which
/// count as read when the system is done if one of the calls has read them. For an example see
/// [`Event`].
///
/// Events that are not read wait for the next run, up to a bound: see [`Events`].
///
/// Cost: the events are a slice, and reading iterates over it. Systems that read the same events
/// run in parallel.
pub struct EventReader<'w, E> {
    unread: &'w [E],
    reading: LogReading<'w>,
}

impl<'w, E> EventReader<'w, E> {
    /// A reader of these events, to call a system as a plain function.
    pub const fn new(unread: &'w [E]) -> Self {
        Self { unread, reading: LogReading::NONE }
    }

    pub(crate) fn of(events: &'w Events<E>, reader: Option<usize>) -> Self {
        let cursor = reader.and_then(|reader| events.log.readers.cursor(reader));
        let missed = cursor.map_or(0, |cursor| events.log.missed(cursor.seen()));
        Self { unread: events.unread(cursor), reading: LogReading::new(&events.log, cursor, missed) }
    }

    pub(crate) fn reborrow(&mut self) -> EventReader<'_, E> {
        EventReader { ..*self }
    }

    /// Iterates over the unread events, in the order in which they were sent. All of them count as
    /// read from this call on.
    pub fn iter(&mut self) -> core::slice::Iter<'w, E> {
        let unread = self.unread;
        self.clear();
        unread.iter()
    }

    /// Whether there are no unread events.
    pub fn is_empty(&self) -> bool {
        self.unread.is_empty()
    }

    /// The number of unread events.
    pub fn len(&self) -> usize {
        self.unread.len()
    }

    /// The number of events that this reader has missed since it last read: they were dropped
    /// because of the queue's bound (see [`Events`]), or taken by
    /// [`World::drain`](crate::World::drain).
    pub fn missed(&self) -> u64 {
        self.reading.missed
    }

    /// Marks all unread events as read.
    pub fn clear(&mut self) {
        self.unread = &[];
        self.reading.end();
    }
}

into_iter!(['w, E] &mut EventReader<'w, E>: &'w E, core::slice::Iter<'w, E>, |this| this.iter());

/// System parameter: sends events of type `E`.
///
/// The events are added to the queue when the system is done. They are kept until every reader has
/// read them, up to a bound: see [`Events`]. If the world declares the event with `full = panic`
/// and the queue is full, the panic happens when the system is done.
///
/// Several systems may send the same type. Their events are in the queue system by system, in the
/// order in which the systems ran. For an example see [`Event`].
///
/// A system that is marked `par` may send events, too: they are in the queue in the order of the
/// entities for which they were sent, for any number of threads.
///
/// Cost: an event is pushed to a `Vec`. When the system is done, the `Vec` becomes the queue, if
/// the queue is empty, or is appended to it.
pub struct EventWriter<'w, E> {
    buffer: &'w mut Vec<E>,
}

impl<'w, E> EventWriter<'w, E> {
    /// A writer that pushes to `buffer`, to call a system as a plain function.
    pub const fn new(buffer: &'w mut Vec<E>) -> Self {
        Self { buffer }
    }

    pub(crate) fn reborrow(&mut self) -> EventWriter<'_, E> {
        EventWriter { buffer: self.buffer }
    }

    /// Sends all events of `events`, which is empty afterwards.
    pub(crate) fn append(&mut self, events: &mut Vec<E>) {
        if self.buffer.is_empty() {
            core::mem::swap(self.buffer, events);
        } else {
            self.buffer.append(events);
        }
    }

    /// Sends an event.
    pub fn send(&mut self, event: E) // one value: `send(Hit { .. })`; several: `extend([a, b])`
    {
        self.buffer.push(event);
    }
}

impl<E> Extend<E> for EventWriter<'_, E> {
    fn extend<I: IntoIterator<Item = E>>(&mut self, events: I) {
        self.buffer.extend(events);
    }
}

debug!([E] EventReader<'_, E>, |this, f| f.debug_struct("EventReader").field("len", &this.len()).finish());
debug!([E] EventWriter<'_, E>, |this, f| {
    f.debug_struct("EventWriter").field("sent", &this.buffer.len()).finish()
});
