//! [`Delayed`]: events that are sent, and commands that are applied, at a later time of a clock.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::time::Duration;

use super::Clock;

/// Events that are sent when a clock reaches a time. A resource; [`send_due`](super::send_due)
/// sends them.
///
/// A resource of the same type holds commands that are applied later, if its values are
/// [`DelayedCommand`](super::DelayedCommand)s: then the system is [`apply_due`](super::apply_due).
///
/// The events are sent in the order of their times, and events of one time in the order in which
/// they were added. Clones, snapshots and saves of the world contain them.
///
/// ```
/// use std::time::Duration;
///
/// use ecs::prelude::*;
/// use ecs::time::{Delayed, send_due};
///
/// #[derive(Event, Debug, PartialEq)]
/// struct Explodes(Entity);
/// #[derive(Component)]
/// struct Bomb;
///
/// world! {
///     struct Game {
///         components { Bomb }
///         resources { Clock = Clock::new(), Delayed<Explodes> = Delayed::new() }
///         events { Explodes }
///     }
///     schedule frame { send_due::<Explodes, ()>; explode }
/// }
///
/// #[system(Game)]
/// fn explode(mut events: EventReader<Explodes>, mut commands: Commands<Game>) {
///     for Explodes(bomb) in &mut events {
///         commands.despawn_if_alive(*bomb);
///     }
/// }
///
/// let mut game = Game::new();
/// let bomb = game.spawn(Bomb);
/// let now = game.resource::<Clock>().elapsed();
/// game.resource_mut::<Delayed<Explodes>>().send_at(now + Duration::from_secs(2), Explodes(bomb));
/// for expected in [true, true, false] {
///     assert_eq!(game.contains(bomb), expected || game.resource::<Clock>().elapsed() < Duration::from_secs(2));
///     game.resource_mut::<Clock>().advance(Duration::from_secs(1));
///     game.frame();
/// }
/// assert!(!game.contains(bomb));
/// ```
///
/// # Cost
/// An event is added and sent in the logarithm of the number of waiting events, whatever the order
/// of their times. A run of [`send_due`](super::send_due) without a due event is one comparison.
#[derive(ecs_macros::Resource)]
#[resource(crate = crate)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "E: serde::Serialize", deserialize = "E: serde::Deserialize<'de>"))
)]
pub struct Delayed<E, Tag = ()> {
    waiting: Waiting<E>,
    #[cfg_attr(feature = "serde", serde(skip))]
    tag: PhantomData<fn() -> Tag>,
}

/// Events with their times.
#[derive(Clone)]
struct Waiting<E> {
    /// By time, and then by a number that grows with each event.
    events: BTreeMap<(Duration, u64), E>,
    next: u64,
}

impl<E, Tag> Delayed<E, Tag> {
    /// No events.
    #[must_use]
    pub const fn new() -> Self {
        Self { waiting: Waiting { events: BTreeMap::new(), next: 0 }, tag: PhantomData }
    }

    /// Adds an event that is sent when the clock has [elapsed](Clock::elapsed) this time; at once
    /// if it has already.
    pub fn send_at(&mut self, time: Duration, event: E) {
        self.waiting.events.insert((time, self.waiting.next), event);
        self.waiting.next += 1;
    }

    /// Adds an event that is sent when the clock has advanced by this time.
    pub fn send_after(&mut self, delay: Duration, clock: &Clock<Tag>, event: E) {
        self.send_at(clock.elapsed().saturating_add(delay), event);
    }

    /// Removes the events that are due, in the order in which they are sent.
    pub fn take_due(&mut self, now: Duration) -> impl Iterator<Item = E> + '_ {
        let mut due = Vec::new();
        while let Some(first) = self.waiting.events.first_entry().filter(|first| first.key().0 <= now) {
            due.push(first.remove());
        }
        due.into_iter()
    }

    /// The time of the event that is sent first; `None` if no event waits. See
    /// [`Clock::advance_to`].
    #[must_use]
    pub fn next_due(&self) -> Option<Duration> {
        self.waiting.events.first_key_value().map(|((time, _), _)| *time)
    }

    /// Removes the events for which `keep` is false. It gets the time of each.
    pub fn retain(&mut self, mut keep: impl FnMut(Duration, &E) -> bool) {
        self.waiting.events.retain(|(time, _), event| keep(*time, event));
    }

    /// The waiting events with their times, in the order in which they will be sent.
    pub fn iter(&self) -> impl Iterator<Item = (Duration, &E)> {
        self.waiting.events.iter().map(|((time, _), event)| (*time, event))
    }

    /// The waiting events with their times, mutable, for instance to replace ids after
    /// [`WorldMemory::regroup`](crate::world::WorldMemory::regroup). The order is that of
    /// [`iter`](Self::iter).
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Duration, &mut E)> {
        self.waiting.events.iter_mut().map(|((time, _), event)| (*time, event))
    }

    /// The number of waiting events.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.events.len()
    }

    /// Whether no event waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.events.is_empty()
    }
}

/// A save lists the events with their times, the one that is sent first at the end.
#[cfg(feature = "serde")]
impl<E: serde::Serialize> serde::Serialize for Waiting<E> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let list: Vec<(Duration, &E)> =
            self.events.iter().rev().map(|((time, _), event)| (*time, event)).collect();
        list.serialize(serializer)
    }
}

/// Reads the events of a save. An edited one may have them in another order.
#[cfg(feature = "serde")]
impl<'de, E: serde::Deserialize<'de>> serde::Deserialize<'de> for Waiting<E> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list: Vec<(Duration, E)> = serde::Deserialize::deserialize(deserializer)?;
        let next = list.len() as u64;
        let events = list.into_iter().rev().zip(0..).map(|((time, event), number)| ((time, number), event));
        Ok(Self { events: events.collect(), next })
    }
}

default!([E, Tag] Delayed<E, Tag>);

impl<E: Clone, Tag> Clone for Delayed<E, Tag> {
    fn clone(&self) -> Self {
        Self { waiting: self.waiting.clone(), tag: PhantomData }
    }
}

impl<E: PartialEq, Tag> PartialEq for Delayed<E, Tag> {
    fn eq(&self, other: &Self) -> bool {
        self.iter().eq(other.iter())
    }
}

debug!([E: fmt::Debug, Tag] Delayed<E, Tag>, |this, f| f.debug_map().entries(this.iter()).finish());
