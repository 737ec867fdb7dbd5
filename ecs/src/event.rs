//! Events: values that systems send with an [`EventWriter`], read with an [`EventReader`], and
//! change on their way with an [`EventMutator`].
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
use crate::storage::readers::{LogReading, ReadQueue};

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
        let reading = LogReading::new(&events.log, cursor, events.missed(reader));
        Self { unread: events.unread(reader), reading }
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

/// System parameter: reads the events of type `E` as an [`EventReader`] does, and may change them
/// for the systems that read them later.
///
/// Those are the later systems in the same run of the schedule, and in the next run the earlier
/// ones, for events that they have not read. A system that has read an event before does not see
/// the change. So systems with a mutator of `E` and those with a reader of it run one after the
/// other, in the order of the text, for any number of threads. The changed events are in clones,
/// snapshots and saves of the world, as all events that wait.
///
/// One system cannot take two mutators of `E`, or a mutator and a reader: it does not compile. A
/// system that is marked `par`, or runs in the background, reads events with no mutator.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component)] struct Health(i32);
/// #[derive(Component)] struct Armor(i32);
/// #[derive(Event)] struct Hit { target: Entity, damage: i32 }
///
/// world! {
///     struct Game { components { Health, Armor } events { Hit(external) } }
///     schedule tick { protect; wound }
/// }
///
/// #[system(Game)]
/// fn protect(mut hits: EventMutator<Hit>, armors: Query<&Armor>) {
///     for hit in &mut hits {
///         hit.damage -= armors.get(hit.target).map_or(0, |armor| armor.0);
///     }
/// }
/// #[system(Game)]
/// fn wound(mut hits: EventReader<Hit>, mut healths: Query<&mut Health>) {
///     for hit in &mut hits {
///         if let Some(health) = healths.get_mut(hit.target) { health.0 -= hit.damage; }
///     }
/// }
///
/// let mut game = Game::new();
/// let knight = game.spawn((Health(10), Armor(3)));
/// game.send(Hit { target: knight, damage: 5 });
/// game.tick();
/// assert_eq!(game.get::<Health>(knight).unwrap().0, 8);
/// ```
pub struct EventMutator<'w, E> {
    unread: &'w mut [E],
    reading: LogReading<'w>,
}

impl<'w, E> EventMutator<'w, E> {
    /// A mutator of these events, to call a system as a plain function.
    pub const fn new(unread: &'w mut [E]) -> Self {
        Self { unread, reading: LogReading::NONE }
    }

    pub(crate) fn of(events: &'w mut Events<E>, reader: Option<usize>) -> Self {
        let (missed, skipped, end) = (events.missed(reader), events.skipped(reader), events.log.end());
        let ReadQueue { values, readers, .. } = &mut events.log;
        let (unread, _) = values.as_mut_slices();
        let cursor = reader.and_then(|reader| readers.cursor(reader));
        Self {
            unread: unread.get_mut(skipped..).unwrap_or_default(),
            reading: LogReading::until(end, cursor, missed),
        }
    }

    pub(crate) fn reborrow(&mut self) -> EventMutator<'_, E> {
        EventMutator { unread: self.unread, reading: self.reading }
    }

    /// Iterates over the unread events, in the order in which they were sent, to change them. All
    /// of them count as read from this call on.
    pub fn iter_mut(&mut self) -> core::slice::IterMut<'w, E> {
        let unread = core::mem::take(&mut self.unread);
        self.reading.end();
        unread.iter_mut()
    }

    /// Whether there are no unread events.
    pub const fn is_empty(&self) -> bool {
        self.unread.is_empty()
    }

    /// The number of unread events.
    pub const fn len(&self) -> usize {
        self.unread.len()
    }

    /// The number of events that this reader has missed since it last read, as
    /// [`EventReader::missed`].
    pub fn missed(&self) -> u64 {
        self.reading.missed
    }

    /// Marks all unread events as read.
    pub fn clear(&mut self) {
        self.unread = &mut [];
        self.reading.end();
    }
}

into_iter!(['w, E] &mut EventMutator<'w, E>: &'w mut E, core::slice::IterMut<'w, E>, |this| this.iter_mut());

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
debug!([E] EventMutator<'_, E>, |this, f| f.debug_struct("EventMutator").field("len", &this.len()).finish());
debug!([E] EventWriter<'_, E>, |this, f| {
    f.debug_struct("EventWriter").field("sent", &this.buffer.len()).finish()
});
