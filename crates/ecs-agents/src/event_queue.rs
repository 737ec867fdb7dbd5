//! Events in continuous time: a queue of what happens when, for models that go from event to event
//! and not from step to step.
//!
//! [`EventQueue`] has the time of the model and the events that are due later. A system takes the
//! next event, changes the agents and schedules more. Reactions at random times, as in Gillespie's
//! algorithm, and queues with arrivals and services are such models.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_agents::prelude::*;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Component, Serialize, Deserialize)]
//! struct Age(u32);
//!
//! #[derive(Serialize, Deserialize, Clone, Debug)]
//! enum Life { Birthday(Entity), Death(Entity) }
//!
//! world! {
//!     #[derive(Serialize, Deserialize)]
//!     struct Town {
//!         include ecs_agents::random::random;
//!         components { Age }
//!         resources { queue: EventQueue<Life> = EventQueue::new() }
//!     }
//!     schedule step { live }
//! }
//!
//! /// All events of the next unit of time.
//! #[system(Town)]
//! fn live(mut queue: ResMut<EventQueue<Life>>, mut ages: Query<&mut Age>, mut commands: Commands<Town>) {
//!     let end = queue.now() + 1.0;
//!     while let Some(event) = queue.pop_until(end) {
//!         match event {
//!             Life::Birthday(agent) => {
//!                 let Some(age) = ages.get_mut(agent) else { continue };
//!                 age.0 += 1;
//!                 queue.schedule_after(1.0, event);
//!             }
//!             Life::Death(agent) => commands.despawn(agent),
//!         }
//!     }
//! }
//!
//! let mut town = Town::new(Random::new(1));
//! for _ in 0..100 {
//!     let agent = town.spawn(Age(0));
//!     let life = Exp::new(1.0 / 80.0)?.sample(town.resource_mut::<Random>());
//!     let queue = town.resource_mut::<EventQueue<Life>>();
//!     queue.schedule_after(1.0, Life::Birthday(agent));
//!     queue.schedule_after(life, Life::Death(agent));
//! }
//! (0..50).for_each(|_| town.step());
//! let ages = town.query::<&Age>();
//! assert!((40..70).contains(&ages.len()), "about half are alive after 50 years");
//! assert!(ages.iter().all(|age| age.0 == 50));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt;

use ecs::prelude::*;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The time of a model, and events `E` that are due later, in the order of their times. Events of
/// one time are due in the order in which they were scheduled.
///
/// It is a resource: it is saved, cloned, hashed and rolled back with the world. Systems that use
/// it run one after the other, so that the order does not depend on threads.
///
/// Times are numbers in a unit of the model. A time that is NaN, infinite, or before
/// [`now`](Self::now) is refused: events can be neither out of order nor lost.
///
/// # Cost
/// Scheduling, cancelling and taking an event cost the logarithm of the number of events.
#[derive(Resource, Clone)]
pub struct EventQueue<E> {
    now: f64,
    events: BTreeMap<EventKey, E>,
    /// The number of the next event.
    next: u64,
}

/// A scheduled event, to [cancel](EventQueue::cancel) it. It stays right when the world is saved,
/// cloned or rolled back, and may be kept in a component.
///
/// Keys are in the order in which their events are due.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub struct EventKey {
    time: f64,
    number: u64,
}

/// An event has no time, since this number is NaN, infinite, or before the time of the queue.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct InvalidTime {
    /// The number.
    pub time: f64,
    /// The time of the queue.
    pub now: f64,
}

impl<E> EventQueue<E> {
    /// A queue without events, at time 0.
    #[must_use]
    pub fn new() -> Self {
        Self { now: 0.0, events: BTreeMap::new(), next: 0 }
    }

    /// The time of the model: that of the last event, or of the last
    /// [`advance_to`](Self::advance_to).
    #[must_use]
    pub fn now(&self) -> f64 {
        self.now
    }

    /// Schedules an event at a time.
    ///
    /// # Panics
    /// If the time is not finite, or is before [`now`](Self::now).
    #[track_caller]
    pub fn schedule_at(&mut self, time: f64, event: E) -> EventKey {
        self.try_schedule_at(time, event).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Schedules an event after a delay, counted from [`now`](Self::now).
    ///
    /// # Panics
    /// If the delay is not finite, or is negative.
    #[track_caller]
    pub fn schedule_after(&mut self, delay: f64, event: E) -> EventKey {
        self.schedule_at(self.now + delay, event)
    }

    /// Schedules an event at a time.
    ///
    /// # Errors
    /// If the time is not finite, or is before [`now`](Self::now).
    pub fn try_schedule_at(&mut self, time: f64, event: E) -> Result<EventKey, InvalidTime> {
        let key = EventKey { time: self.checked(time)?, number: self.next };
        self.next += 1;
        self.events.insert(key, event);
        Ok(key)
    }

    /// The time, if an event can be due then. Zero has one sign, so that equal times have one place.
    fn checked(&self, time: f64) -> Result<f64, InvalidTime> {
        let valid = time.is_finite() && time >= self.now;
        if valid { Ok(time + 0.0) } else { Err(InvalidTime { time, now: self.now }) }
    }

    /// Removes an event before it is due, and returns it; `None` if it was taken or cancelled
    /// already.
    pub fn cancel(&mut self, key: EventKey) -> Option<E> {
        self.events.remove(&key)
    }

    /// The time of the next event; `None` if there is none.
    #[must_use]
    pub fn next_due(&self) -> Option<f64> {
        self.events.first_key_value().map(|(key, _)| key.time)
    }

    /// Takes the next event. Its time is [`now`](Self::now) then.
    pub fn pop(&mut self) -> Option<E> {
        let (key, event) = self.events.pop_first()?;
        self.now = key.time;
        Some(event)
    }

    /// Takes the next event that is due at `end` or before it. Its time is [`now`](Self::now) then.
    /// If there is none, the time is `end`: a loop of these calls is all that happens until then.
    ///
    /// # Panics
    /// If `end` is not finite, or is before [`now`](Self::now).
    #[track_caller]
    pub fn pop_until(&mut self, end: f64) -> Option<E> {
        if self.next_due().is_some_and(|due| due <= end) {
            return self.pop();
        }
        self.now = self.checked(end).unwrap_or_else(|error| panic!("{error}"));
        None
    }

    /// Sets the time, up to that of the next event. A model without events, which draws the time of
    /// the next reaction itself, needs no more than this.
    ///
    /// # Panics
    /// If the time is not finite, is before [`now`](Self::now), or an event is due before it.
    #[track_caller]
    pub fn advance_to(&mut self, time: f64) {
        if let Some(due) = self.next_due().filter(|&due| due < time) {
            panic!("the time cannot advance to {time}: an event is due at {due}");
        }
        self.now = self.checked(time).unwrap_or_else(|error| panic!("{error}"));
    }

    /// Removes the events for which `keep` is false. It gets the time of each.
    pub fn retain(&mut self, mut keep: impl FnMut(f64, &mut E) -> bool) {
        self.events.retain(|key, event| keep(key.time, event));
    }

    /// The events with their times, in the order in which they are due.
    pub fn iter(&self) -> impl Iterator<Item = (f64, &E)> {
        self.events.iter().map(|(key, event)| (key.time, event))
    }

    /// The number of events.
    #[must_use]
    pub fn len(&self) -> usize {
        self.events.len()
    }

    /// Whether there is no event.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.events.is_empty()
    }
}

impl EventKey {
    /// The time at which the event is due.
    #[must_use]
    pub fn time(self) -> f64 {
        self.time
    }
}

impl Eq for EventKey {}

impl PartialOrd for EventKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for EventKey {
    fn cmp(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time).then(self.number.cmp(&other.number))
    }
}

impl<E> Default for EventQueue<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: fmt::Debug> fmt::Debug for EventQueue<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let events: Vec<_> = self.iter().collect();
        f.debug_struct("EventQueue").field("now", &self.now).field("events", &events).finish()
    }
}

impl fmt::Display for InvalidTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { time, now } = self;
        let why = if time.is_finite() { "is before now" } else { "is not a finite number" };
        write!(f, "{time} is no time of an event at {now}: it {why}")
    }
}

impl std::error::Error for InvalidTime {}

/// Now, the number of the next event, and the events in order, each with its time and its number.
type Saved<E> = (f64, u64, Vec<(EventKey, E)>);

impl<E: Serialize> Serialize for EventQueue<E> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let events: Vec<_> = self.events.iter().collect();
        (self.now, self.next, events).serialize(serializer)
    }
}

impl<'de, E: Deserialize<'de>> Deserialize<'de> for EventQueue<E> {
    /// Refuses a time that is not valid, two events of one key, and a key that was not given yet.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (now, next, events) = Saved::<E>::deserialize(deserializer)?;
        if !now.is_finite() {
            return Err(D::Error::custom("the time of a queue is not finite"));
        }
        if next > u64::MAX / 2 {
            return Err(D::Error::custom("the number of the next event is too large"));
        }
        let mut queue = Self { now: now + 0.0, events: BTreeMap::new(), next };
        for (key, event) in events {
            let time = queue.checked(key.time).map_err(D::Error::custom)?;
            let key = EventKey { time, ..key };
            if key.number >= next || queue.events.insert(key, event).is_some() {
                return Err(D::Error::custom("an event has the number of another event"));
            }
        }
        Ok(queue)
    }
}
