//! [`Moment`]: the comparison of a world with an earlier state of it, for tools that follow a
//! running program.
//!
//! Nothing here changes a world, so that a program that is watched runs as it does alone.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Deref;

use super::erased::ErasedWorld;
use super::error::{NameKind, ReflectError};
use super::query::PreparedQuery;
use super::world::Reflection;
use crate::entity::Entity;
use crate::entity::mark::WorldMark;
use crate::value::tree::DynamicValue;

/// A moment in the history of a world: see [`Reflection::moment`].
#[derive(Clone, Debug)]
pub struct Moment {
    mark: WorldMark,
    /// The tick of the changes that follow.
    tick: u64,
    /// Another one after a restore.
    history: Option<Arc<()>>,
}

impl Moment {
    /// Whether this is a later moment of the same world, which was not restored in between.
    ///
    /// If not, numbers of events from the earlier moment mean nothing: after a restore, a queue has
    /// other events with the same numbers.
    pub fn follows(&self, earlier: &Self) -> bool {
        let same = match (&self.history, &earlier.history) {
            (Some(ours), Some(theirs)) => Arc::ptr_eq(ours, theirs),
            (ours, theirs) => ours.is_none() && theirs.is_none(),
        };
        same && self.mark == earlier.mark && self.tick >= earlier.tick
    }
}

/// Events of one type, in the order in which they were sent: see [`Reflection::events_since`].
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct EventPage {
    /// The events.
    pub events: Vec<DynamicValue>,
    /// The `seen` of the next page.
    pub next: u64,
    /// The events before these that the queue has dropped.
    pub missed: u64,
}

impl<'w, A: Deref<Target = dyn ErasedWorld + 'w>> Reflection<A> {
    /// The present moment, for [`changed_since`](Self::changed_since).
    pub fn moment(&self) -> Moment {
        let living = self.world.living();
        Moment { mark: living.mark(), tick: living.tick(), history: living.history() }
    }

    /// The entities of a list, of which a value that the query fetches may have changed since a
    /// moment.
    ///
    /// An entity is left out if it has all components that the query fetches, and their values
    /// have not changed, which only tracked components tell. All entities are returned if the
    /// world was restored since, or is another one.
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs::reflect::ReflectWorld;
    /// # use serde::{Deserialize, Serialize};
    /// #[derive(Component, Serialize, Deserialize)]
    /// #[component(tracked)]
    /// struct Health(u32);
    /// # world! { #[derive(Reflect)] struct Game { components { Health } } }
    /// let mut game = Game::new();
    /// let (wolf, bear) = (game.spawn(Health(3)), game.spawn(Health(9)));
    /// game.advance_tick(); // as a system does
    /// let query = game.reflect().prepare(&"Health".parse()?)?;
    /// let moment = game.reflect().moment();
    /// game.get_tracked::<Health>(bear).unwrap().0 = 8;
    /// let mut changed = vec![wolf, bear];
    /// game.reflect().changed_since(&query, &moment, &mut changed)?;
    /// assert_eq!(changed, [bear]);
    /// # Ok::<(), ecs::reflect::ReflectError>(())
    /// ```
    ///
    /// # Errors
    /// If the query was prepared for another type of world, or names a component that this handle
    /// does not show.
    pub fn changed_since(
        &self,
        query: &PreparedQuery,
        moment: &Moment,
        entities: &mut Vec<Entity>,
    ) -> Result<(), ReflectError> {
        self.is_for(query)?;
        if self.moment().follows(moment) {
            entities.retain(|entity| {
                let slot = entity.slot();
                let is_known = |index: usize| {
                    // changes at the moment's own tick may have been made before it or after it
                    let changed = self.world.changed_at(index, slot);
                    self.world.has_at(index, slot) && changed.is_some_and(|tick| tick < moment.tick)
                };
                !query.fetched().all(is_known)
            });
        }
        Ok(())
    }

    /// The events of a type that were sent after the first `seen` ones and are still in its queue,
    /// at most `limit`. With `u64::MAX` and 0, `next` is the number of the next event.
    ///
    /// A queue drops events when the run of a schedule ends, if all systems that read them have
    /// done so: call this before, in an exclusive system at the end of the schedule.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs::reflect::{DynamicValue, ReflectWorld};
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Event, Serialize, Deserialize)] struct Hit(u32);
    /// # world! { #[derive(Reflect)] struct Game { events { Hit(external) } } }
    /// let mut game = Game::new();
    /// game.send(Hit(3));
    /// let seen = game.reflect().events_since("Hit", u64::MAX, 0)?.next;
    /// game.send(Hit(5));
    /// assert_eq!(game.reflect().events_since("Hit", seen, 10)?.events, [DynamicValue::Int(5)]);
    /// # Ok::<(), ecs::reflect::ReflectError>(())
    /// ```
    ///
    /// # Errors
    /// If the world has no event of this name, or the `Serialize` of an event fails.
    pub fn events_since(&self, event: &str, seen: u64, limit: usize) -> Result<EventPage, ReflectError> {
        let index = self.number(NameKind::Events, event)?;
        let (kept, _) = self.world.event_at(index, 0);
        let first = seen.clamp(kept.start, kept.end);
        let mut page = EventPage { events: Vec::new(), next: first, missed: kept.start.saturating_sub(seen) };
        while let (_, Some(value)) = self.world.event_at(index, page.next)
            && page.events.len() < limit
        {
            let value = DynamicValue::of(value).map_err(|reason| ReflectError::Value {
                entity: None,
                path: event.into(),
                reason,
            })?;
            page.events.push(value);
            page.next += 1;
        }
        Ok(page)
    }
}
