//! [`Bubbling`]: events with an entity, which go up a relation from entity to entity until an
//! observer stops them.
//!
//! There is no list of observers for each entity. An event that bubbles is an ordinary event with
//! the entity where it is now; the system [`bubble`] sends it again for the target of the relation.
//! So each entity is one round of the world's observers.

use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};

use core::marker::PhantomData;

use super::{ChildOf, ExclusiveRelation, Relation};
use crate::entity::Entity;
use crate::event::{EventReader, EventWriter};
use crate::query::{AllowDisabled, Query};

/// Event: happens to an entity, and then to the target of its relation `R`, and so on, until an
/// observer stops it.
///
/// The observers of one entity all read the event, in the order of the text, whether one of them
/// [stops](Self::stop_propagation) it or not. The system [`bubble`], which is the last of them,
/// sends the event again for the target. The event ends at an entity without a target, or which is
/// not alive any more. Events that were sent together go up together, one entity in each round.
///
/// Each entity on the way takes one round of the observers, so that `max` is more than the depth of
/// the deepest tree.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::relation::{Bubbling, bubble};
///
/// #[derive(Clone)]
/// struct Click;
/// #[derive(Component)]
/// struct Button(u32);
///
/// world! {
///     struct Form {
///         components { Button, ChildOf }
///         events { Bubbling<Click> }
///     }
///     observers { press, bubble::<Click, ChildOf> } max 64
/// }
///
/// #[system(Form)]
/// fn press(mut clicks: EventReader<Bubbling<Click>>, mut buttons: Query<&mut Button>) {
///     for click in &mut clicks {
///         if let Some(button) = buttons.get_mut(click.entity()) {
///             button.0 += 1;
///             click.stop_propagation();
///         }
///     }
/// }
///
/// let mut form = Form::new();
/// let window = form.spawn(Button(0));
/// let button = form.spawn((Button(0), ChildOf(window)));
/// let label = form.spawn(ChildOf(button));
/// form.send(Bubbling::new(label, Click));
/// form.run_observers();
/// assert_eq!(form.get::<Button>(button).unwrap().0, 1);
/// assert_eq!(form.get::<Button>(window).unwrap().0, 0);
/// ```
#[derive(ecs_macros::Event)]
#[event(crate = crate)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(bound(serialize = "E: serde::Serialize", deserialize = "E: serde::Deserialize<'de>"))
)]
pub struct Bubbling<E, R = ChildOf> {
    entity: Entity,
    origin: Entity,
    event: E,
    #[cfg_attr(feature = "serde", serde(with = "stopped"))]
    stopped: AtomicBool,
    #[cfg_attr(feature = "serde", serde(skip))]
    relation: PhantomData<fn() -> R>,
}

impl<E, R> Bubbling<E, R> {
    /// An event that begins at an entity.
    #[must_use]
    pub const fn new(origin: Entity, event: E) -> Self {
        Self { entity: origin, origin, event, stopped: AtomicBool::new(false), relation: PhantomData }
    }

    /// The entity where the event is now.
    pub const fn entity(&self) -> Entity {
        self.entity
    }

    /// The entity where the event began.
    pub const fn origin(&self) -> Entity {
        self.origin
    }

    /// The event itself.
    pub const fn event(&self) -> &E {
        &self.event
    }

    /// The event itself, to change it: observers behind this one, and those of the next entities,
    /// read what an [`EventMutator`](crate::EventMutator) makes of it.
    pub const fn event_mut(&mut self) -> &mut E {
        &mut self.event
    }

    /// Keeps the event from going on to the next entity. The other observers still read it at this
    /// one.
    pub fn stop_propagation(&self) {
        // Observers on several threads may call this, with the same result in any order. Only
        // `bubble` reads the flag: it sends the event, so that it runs after all earlier readers.
        self.stopped.store(true, Ordering::Relaxed);
    }

    /// The event for the next entity.
    fn at(&self, entity: Entity) -> Self
    where
        E: Clone,
    {
        Self { entity, ..Self::new(self.origin, self.event.clone()) }
    }
}

impl<E: Clone, R> Clone for Bubbling<E, R> {
    fn clone(&self) -> Self {
        let copy = self.at(self.entity);
        copy.stopped.store(self.stopped.load(Ordering::Relaxed), Ordering::Relaxed);
        copy
    }
}

impl<E: fmt::Debug, R> fmt::Debug for Bubbling<E, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, origin, event, stopped: _, relation: _ } = self;
        f.debug_struct("Bubbling")
            .field("entity", entity)
            .field("origin", origin)
            .field("event", event)
            .finish()
    }
}

/// System: sends the [`Bubbling`] events that were not stopped again, for the target of each
/// event's entity.
///
/// Name it in the `observers` of the world, or in a `react` block, after the observers that read
/// the event, as `bubble::<Click, ChildOf>`. An observer after it reads the event at two entities
/// in one round, and stops it too late.
#[ecs_macros::system(crate = crate)]
pub fn bubble<E: Clone + 'static, R: ExclusiveRelation>(
    mut events: EventReader<'_, Bubbling<E, R>>,
    targets: Query<'_, &R, AllowDisabled>,
    mut next: EventWriter<'_, Bubbling<E, R>>,
) {
    for event in &mut events {
        if !event.stopped.load(Ordering::Relaxed)
            && let Some(edge) = targets.get(event.entity)
        {
            next.send(event.at(Relation::target(edge)));
        }
    }
}

/// The saved form of the flag: `true` or `false`.
#[cfg(feature = "serde")]
mod stopped {
    use core::sync::atomic::{AtomicBool, Ordering};

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(stopped: &AtomicBool, serializer: S) -> Result<S::Ok, S::Error> {
        stopped.load(Ordering::Relaxed).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<AtomicBool, D::Error> {
        bool::deserialize(deserializer).map(AtomicBool::new)
    }
}
