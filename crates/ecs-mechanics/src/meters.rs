//! Meters: amounts between zero and a maximum, such as health, mana and stamina, which regenerate
//! and report thresholds.
//!
//! A [`Meter`] has a tag, a type with [`MeterKind`]. [`Health`], [`Mana`] and [`Stamina`] are
//! ready, with the parts [`health`], [`mana`] and [`stamina`]; for a kind of its own a game
//! includes the generic parts, `meter::<Rage>`, which are the same.
//!
//! ```
//! use std::time::Duration;
//!
//! use ecs::prelude::*;
//! use ecs_mechanics::clocks::{self, Clock, Wall};
//! use ecs_mechanics::meters::{self, Alarm, Crossed, Direction, Health, Meter, MeterKind, Regeneration};
//!
//! /// A meter of this game: it grows by itself, and is reported when it is full.
//! enum Rage {}
//! impl MeterKind for Rage {
//!     const NAME: &'static str = "rage";
//!     const THRESHOLDS: &'static [u8] = &[100];
//! }
//!
//! world! {
//!     struct Arena {
//!         include clocks::clocks;
//!         include meters::health;
//!         include meters::meter::<Rage> as rage;
//!     }
//!     schedule frame {
//!         include clocks::advance;
//!         include meters::run_health;
//!         include meters::run_meter::<Rage>;
//!         go_berserk;
//!     }
//! }
//!
//! #[system(Arena)]
//! fn go_berserk(mut crossed: EventReader<Crossed<Rage>>, mut bodies: Query<&mut Meter<Health>>) {
//!     for crossed in &mut crossed {
//!         assert_eq!((crossed.percent, crossed.direction), (100, Direction::Rising));
//!         bodies.get_mut(crossed.entity).unwrap().take(3);
//!     }
//! }
//!
//! let mut arena = Arena::new();
//! let per_second = Regeneration::<Rage>::new(5, Duration::from_secs(1));
//! let orc = arena.spawn((Meter::<Health>::full(10), Meter::<Rage>::new(0, 10), per_second, Alarm::<Rage>::default()));
//! for _ in 0..20 {
//!     arena.resource_mut::<Clock<Wall>>().advance(Duration::from_millis(100));
//!     arena.frame();
//! }
//! assert!(arena.get::<Meter<Rage>>(orc).unwrap().is_full());
//! assert_eq!(arena.get::<Meter<Health>>(orc).unwrap().now(), 7);
//! ```

use std::error::Error;
use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use ecs::prelude::*;
use ecs::query::Filter;
use ecs::time::Clock;
use serde::{Deserialize, Serialize};

use crate::clocks::Game;
use crate::tagged::tagged;

/// A kind of meter: the tag of [`Meter`], [`Regeneration`], [`Alarm`] and [`Crossed`]. It has no
/// value; an enum without variants will do.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind of meters",
    label = "does not implement `MeterKind`",
    note = "write `impl MeterKind for {Self}`, with a name for messages: `Meter<{Self}>` is the component"
)]
pub trait MeterKind: 'static {
    /// The name in errors, such as `mana`.
    const NAME: &'static str;
    /// The percentages of the maximum at which [`watch`] sends [`Crossed`], in ascending order,
    /// each at most 100. A world with a meter whose thresholds are in another order does not
    /// compile:
    ///
    /// ```compile_fail,E0080
    /// use ecs::prelude::*;
    /// use ecs_mechanics::meters::{self, MeterKind};
    ///
    /// enum Rage {}
    /// impl MeterKind for Rage {
    ///     const NAME: &'static str = "rage";
    ///     const THRESHOLDS: &'static [u8] = &[100, 50];
    /// }
    ///
    /// world! {
    ///     struct Arena { include meters::meter::<Rage> as rage; }
    /// }
    /// ```
    const THRESHOLDS: &'static [u8] = &[0, 100];
    /// Whether an empty meter regenerates. Health does not: the dead stay dead.
    const REFILLS_WHEN_EMPTY: bool = true;
}

/// The life of a creature. An empty one does not regenerate.
pub enum Health {}

/// The power to cast spells.
pub enum Mana {}

/// The power to run, jump and strike.
pub enum Stamina {}

impl MeterKind for Health {
    const NAME: &'static str = "health";
    const THRESHOLDS: &'static [u8] = &[0, 25, 50, 100];
    const REFILLS_WHEN_EMPTY: bool = false;
}

impl MeterKind for Mana {
    const NAME: &'static str = "mana";
}

impl MeterKind for Stamina {
    const NAME: &'static str = "stamina";
}

/// An amount between zero and a maximum. A component.
///
/// The value is kept as the part that is missing from the maximum: a meter whose file names only
/// `max` is full, and a greater maximum raises the amount with it.
///
/// ```
/// use ecs_mechanics::meters::{Mana, Meter};
///
/// let mut mana = Meter::<Mana>::full(10);
/// assert_eq!(mana.take(4), 4);
/// assert_eq!(mana.try_take(7).unwrap_err().to_string(), "7 mana are needed, and there are 6");
/// assert_eq!(mana.add(9), 4);                  // it was full after 4
/// assert_eq!((mana.now(), mana.max()), (10, 10));
/// ```
#[derive(Component, Serialize, Deserialize)]
#[serde(try_from = "SavedMeter", bound = "")]
pub struct Meter<K: MeterKind> {
    max: u32,
    missing: u32,
    #[serde(skip)]
    kind: PhantomData<fn() -> K>,
}

/// The saved form of a meter, which may have been edited.
#[derive(Deserialize)]
#[serde(rename = "Meter")]
struct SavedMeter {
    max: u32,
    #[serde(default)]
    missing: u32,
}

impl<K: MeterKind> TryFrom<SavedMeter> for Meter<K> {
    type Error = String;

    fn try_from(SavedMeter { max, missing }: SavedMeter) -> Result<Self, String> {
        if missing > max {
            return Err(format!("a meter of {} with a maximum of {max} misses {missing}", K::NAME));
        }
        Ok(Self { max, missing, kind: PhantomData })
    }
}

impl<K: MeterKind> Meter<K> {
    /// A full meter.
    #[must_use]
    pub const fn full(max: u32) -> Self {
        Self { max, missing: 0, kind: PhantomData }
    }

    /// A meter with this amount, at most the maximum.
    #[must_use]
    pub const fn new(now: u32, max: u32) -> Self {
        Self { max, missing: max.saturating_sub(now), kind: PhantomData }
    }

    /// The amount.
    #[must_use]
    pub const fn now(&self) -> u32 {
        self.max - self.missing
    }

    /// The maximum.
    #[must_use]
    pub const fn max(&self) -> u32 {
        self.max
    }

    /// The difference of the maximum and the amount.
    #[must_use]
    pub const fn missing(&self) -> u32 {
        self.missing
    }

    /// Whether the amount is zero.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.missing == self.max
    }

    /// Whether the amount is the maximum.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.missing == 0
    }

    /// The amount as a part of the maximum, from 0 to 1; 1 for a maximum of zero. For pictures.
    #[must_use]
    pub fn fraction(&self) -> f32 {
        if self.max == 0 { 1.0 } else { self.now() as f32 / self.max as f32 }
    }

    /// Adds up to this amount. Returns the amount that was added: less if the meter is full before.
    pub fn add(&mut self, amount: u32) -> u32 {
        let added = amount.min(self.missing);
        self.missing -= added;
        added
    }

    /// Takes up to this amount. Returns the amount that was taken: less if the meter is empty
    /// before.
    pub fn take(&mut self, amount: u32) -> u32 {
        let taken = amount.min(self.now());
        self.missing += taken;
        taken
    }

    /// Takes this amount, or nothing.
    ///
    /// # Errors
    /// If the meter has less.
    pub fn try_take(&mut self, amount: u32) -> Result<(), NotEnough> {
        if self.now() < amount {
            return Err(NotEnough { kind: K::NAME, needed: amount, now: self.now() });
        }
        self.missing += amount;
        Ok(())
    }

    /// Sets the amount, at most the maximum.
    pub fn set(&mut self, now: u32) {
        self.missing = self.max.saturating_sub(now);
    }

    /// Sets the maximum. The missing part stays the same, as far as there is room: a greater
    /// maximum raises the amount.
    pub fn set_max(&mut self, max: u32) {
        self.max = max;
        self.missing = self.missing.min(max);
    }

    /// Compares the amount with a percentage of the maximum.
    fn compare(&self, percent: u8) -> std::cmp::Ordering {
        (u64::from(self.now()) * 100).cmp(&(u64::from(self.max) * u64::from(percent)))
    }
}

impl<K: MeterKind> Clone for Meter<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K: MeterKind> Copy for Meter<K> {}

impl<K: MeterKind> PartialEq for Meter<K> {
    fn eq(&self, other: &Self) -> bool {
        (self.max, self.missing) == (other.max, other.missing)
    }
}

impl<K: MeterKind> Eq for Meter<K> {}

impl<K: MeterKind> fmt::Debug for Meter<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}/{}", K::NAME, self.now(), self.max)
    }
}

/// A meter has less than was to be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotEnough {
    /// The name of the meter's kind.
    pub kind: &'static str,
    /// The amount that was to be taken.
    pub needed: u32,
    /// The amount of the meter.
    pub now: u32,
}

impl fmt::Display for NotEnough {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} are needed, and there are {}", self.needed, self.kind, self.now)
    }
}

impl Error for NotEnough {}

tagged! {
    /// Changes the [`Meter`] of its entity again and again: see [`regenerate`]. A component.
    #[derive(Component)]
    pub struct Regeneration<K: MeterKind> {
        /// The amount that is added once in each period; taken, if it is negative.
        pub amount: i32,
        /// The period, in time of the clock that the schedule names.
        pub period: Duration,
    }
}

impl<K: MeterKind> Regeneration<K> {
    /// Adds this amount once in each period, or takes it, if it is negative.
    #[must_use]
    pub const fn new(amount: i32, period: Duration) -> Self {
        Self::from_fields(amount, period)
    }
}

tagged! {
    /// Asks for [`Crossed`] events about the [`Meter`] of its entity: see [`watch`]. A component.
    #[derive(Component)]
    pub struct Alarm<K: MeterKind> {
        /// The missing part and the maximum at the last look.
        seen: Option<(u32, u32)>,
    }
}

impl<K: MeterKind> Default for Alarm<K> {
    fn default() -> Self {
        Self::from_fields(None)
    }
}

/// The direction in which a meter has crossed a threshold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Direction {
    /// From above the threshold to it or below it: empty, for 0 percent.
    Falling,
    /// From below the threshold to it or above it: full, for 100 percent.
    Rising,
}

tagged! {
    /// A meter has crossed one of the [`THRESHOLDS`](MeterKind::THRESHOLDS) of its kind. An event;
    /// [`watch`] sends it.
    #[derive(Event)]
    #[event(check = mistake(K::THRESHOLDS))]
    pub struct Crossed<K: MeterKind> {
        /// The entity with the meter.
        pub entity: Entity,
        /// The threshold, in percent of the maximum.
        pub percent: u8,
        /// The direction.
        pub direction: Direction,
    }
}

/// System: adds the amount of each [`Regeneration`] to its meter, once for each period that the
/// last step of the clock has completed.
///
/// A schedule names it with the kind of the meter and the tag of the clock, as
/// `regenerate::<Mana, Game>`. [`regenerate_if`] restricts it to entities that pass a filter.
///
/// Periods are counted from the start of the clock, not of the entity: all meters with one period
/// change at the same time, and nothing is kept for each of them.
#[system]
pub fn regenerate<K: MeterKind, T: 'static>(
    meters: Query<(&mut Meter<K>, &Regeneration<K>)>,
    clock: Res<Clock<T>>,
) {
    apply(meters, &clock);
}

/// System: [`regenerate`] for the entities that pass a filter, as
/// `regenerate_if::<Mana, Game, Without<Poisoned>>`.
#[system]
pub fn regenerate_if<K: MeterKind, T: 'static, F: Filter + 'static>(
    meters: Query<(&mut Meter<K>, &Regeneration<K>), F>,
    clock: Res<Clock<T>>,
) {
    apply(meters, &clock);
}

fn apply<K: MeterKind, T, F: Filter + 'static>(
    mut meters: Query<(&mut Meter<K>, &Regeneration<K>), F>,
    clock: &Clock<T>,
) {
    if clock.delta().is_zero() {
        return;
    }
    // most meters of a kind have one period, and the division is the slow part
    let (mut period, mut times) = (Duration::ZERO, 0);
    for (meter, regeneration) in &mut meters {
        if regeneration.period != period {
            period = regeneration.period;
            times = u32::try_from(clock.completed(period)).unwrap_or(u32::MAX);
        }
        if times > 0 && (K::REFILLS_WHEN_EMPTY || !meter.is_empty()) {
            let amount = regeneration.amount.unsigned_abs().saturating_mul(times);
            if regeneration.amount < 0 {
                meter.take(amount)
            } else {
                meter.add(amount)
            };
        }
    }
}

/// System: sends [`Crossed`] for each threshold that a meter with an [`Alarm`] has crossed since
/// the last run.
///
/// A fall from full to empty crosses each threshold between, from the top. The first look at a
/// meter sends nothing, and neither does an amount that went and came back between two runs.
/// Entities without an alarm cost nothing.
#[system]
pub fn watch<K: MeterKind>(
    mut meters: Query<(Entity, &Meter<K>, &mut Alarm<K>)>,
    mut crossed: EventWriter<Crossed<K>>,
) {
    for (entity, meter, alarm) in &mut meters {
        let seen = alarm.seen.replace((meter.missing, meter.max));
        let Some((missing, max)) = seen.filter(|seen| *seen != (meter.missing, meter.max)) else { continue };
        let before = Meter::<K> { max, missing, kind: PhantomData };
        let send = |percent, direction| Crossed::from_fields(entity, percent, direction);
        let falling =
            K::THRESHOLDS.iter().rev().filter(|&&at| before.compare(at).is_gt() && meter.compare(at).is_le());
        crossed.extend(falling.map(|&at| send(at, Direction::Falling)));
        let rising =
            K::THRESHOLDS.iter().filter(|&&at| before.compare(at).is_lt() && meter.compare(at).is_ge());
        crossed.extend(rising.map(|&at| send(at, Direction::Rising)));
    }
}

/// The mistake in the thresholds of a kind, for `cargo check`.
const fn mistake(thresholds: &[u8]) -> Option<&'static str> {
    let mut at = 0;
    while at < thresholds.len() {
        if thresholds[at] > 100 {
            return Some(
                "`MeterKind::THRESHOLDS` of the meter has a percentage above 100: 100 is a full meter",
            );
        }
        if at > 0 && thresholds[at] <= thresholds[at - 1] {
            return Some(
                "`MeterKind::THRESHOLDS` of the meter are not in ascending order: begin with the least, each once",
            );
        }
        at += 1;
    }
    None
}

parts! {
    /// A meter of the kind `K`, which regenerates in game time:
    /// `include meters::meter::<Rage> as rage`.
    pub meter<K: MeterKind = Health> {
        needs crate::clocks::clocks;
        components {
            /// The amount.
            meter: Meter<K>,
            /// The changes of the amount in game time.
            Regeneration<K>,
            /// The wish for events at thresholds.
            Alarm<K>,
        }
        events {
            /// The thresholds that meters have crossed.
            Crossed<K>
        }
        schedule run_meter { regenerate::<K, Game>; watch::<K> }
    }
}

parts! {
    /// Health, which regenerates in game time: the same as `include meter::<Health> as health`.
    pub health {
        include meter::<Health> as health { meter as health };
        needs crate::clocks::clocks;
        schedule run_health { regenerate::<Health, Game>; watch::<Health> }
    }
}

parts! {
    /// Mana, which regenerates in game time: the same as `include meter::<Mana> as mana`.
    pub mana {
        include meter::<Mana> as mana { meter as mana };
        needs crate::clocks::clocks;
        schedule run_mana { regenerate::<Mana, Game>; watch::<Mana> }
    }
}

parts! {
    /// Stamina, which regenerates in game time: the same as `include meter::<Stamina> as stamina`.
    pub stamina {
        include meter::<Stamina> as stamina { meter as stamina };
        needs crate::clocks::clocks;
        schedule run_stamina { regenerate::<Stamina, Game>; watch::<Stamina> }
    }
}
