//! [`Delayed`]: events that are sent, and commands that are applied, at a later time of a clock.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::time::Duration;

use super::Clock;

/// Events that are sent when a clock reaches a time. A resource; [`send_due`](super::send_due) sends them.
///
/// A resource of the same type holds commands that are applied later, if its values are [`DelayedCommand`](super::DelayedCommand)s: then the
/// system is [`apply_due`](super::apply_due).
///
/// The events are sent in the order of their times, and events of one time in the order in which they were added. Clones, snapshots and
/// saves of the world contain them.
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
///         commands.try_despawn(*bomb);
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
/// [`send_at`](Self::send_at) finds its place in a list by halves and moves the events that are due earlier, which is quick for
/// thousands of events. A run of [`send_due`](super::send_due) without a due event is one comparison.
#[derive(ecs_macros::Resource)]
#[resource(crate = crate)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "E: serde::Serialize", deserialize = "E: serde::Deserialize<'de>"))
)]
pub struct Delayed<E, Tag = ()> {
    /// The events with their times, the one that is due first at the end.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "in_order"))]
    waiting: Vec<(Duration, E)>,
    #[cfg_attr(feature = "serde", serde(skip))]
    tag: PhantomData<fn() -> Tag>,
}

impl<E, Tag> Delayed<E, Tag> {
    /// No events.
    #[must_use]
    pub const fn new() -> Self {
        Self { waiting: Vec::new(), tag: PhantomData }
    }

    /// Adds an event that is sent when the clock has [elapsed](Clock::elapsed) this time; at once if it has already.
    pub fn send_at(&mut self, time: Duration, event: E) {
        let place = self.waiting.partition_point(|(other, _)| *other > time);
        // after the events of later times, and before those of the same time, which are sent first
        self.waiting.insert(place, (time, event));
    }

    /// Adds an event that is sent when the clock has advanced by this time.
    pub fn send_after(&mut self, delay: Duration, clock: &Clock<Tag>, event: E) {
        self.send_at(clock.elapsed().saturating_add(delay), event);
    }

    /// Removes the events that are due, in the order in which they are sent.
    pub fn take_due(&mut self, now: Duration) -> impl Iterator<Item = E> + '_ {
        let first_due = self.waiting.partition_point(|(time, _)| *time > now);
        self.waiting.drain(first_due..).rev().map(|(_, event)| event)
    }

    /// Removes the events for which `keep` is false. It gets the time of each.
    pub fn retain(&mut self, mut keep: impl FnMut(Duration, &E) -> bool) {
        self.waiting.retain(|(time, event)| keep(*time, event));
    }

    /// The waiting events with their times, in the order in which they will be sent.
    pub fn iter(&self) -> impl Iterator<Item = (Duration, &E)> {
        self.waiting.iter().rev().map(|(time, event)| (*time, event))
    }

    /// The waiting events with their times, mutable, for instance to replace ids after [`World::regroup`](crate::World::regroup). The order is
    /// that of [`iter`](Self::iter).
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Duration, &mut E)> {
        self.waiting.iter_mut().rev().map(|(time, event)| (*time, event))
    }

    /// The number of waiting events.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether no event waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

/// Reads the events of a save. An edited one may have them in another order.
#[cfg(feature = "serde")]
fn in_order<'de, D: serde::Deserializer<'de>, E: serde::Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<(Duration, E)>, D::Error> {
    let mut waiting: Vec<(Duration, E)> = serde::Deserialize::deserialize(deserializer)?;
    waiting.sort_by(|(one, _), (other, _)| other.cmp(one));
    Ok(waiting)
}

impl<E, Tag> Default for Delayed<E, Tag> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Clone, Tag> Clone for Delayed<E, Tag> {
    fn clone(&self) -> Self {
        Self { waiting: self.waiting.clone(), tag: PhantomData }
    }
}

impl<E: PartialEq, Tag> PartialEq for Delayed<E, Tag> {
    fn eq(&self, other: &Self) -> bool {
        self.waiting == other.waiting
    }
}

impl<E: fmt::Debug, Tag> fmt::Debug for Delayed<E, Tag> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
