//! [`Modifier`]: a change of a value that can be taken back, and the systems for modifiers by time
//! and by items.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use ecs::prelude::*;
use ecs::time::Clock;
use serde::{Deserialize, Serialize};

use super::saved::{amounts, by_name};
use super::{Sheet, Stat};
use crate::equipment::{EquipmentSlot, Equips};

/// A change of the value of a stat, from a source, for ever or up to a time.
///
/// ```
/// use std::time::Duration;
/// use ecs_mechanics::clocks::{Clock, Game};
/// use ecs_mechanics::sheet::{Attribute, Modifier, Sheet};
///
/// let clock = Clock::<Game>::new();
/// let potion = Modifier::new(Attribute::Strength, 4, "potion").lasts(Duration::from_secs(60), &clock);
/// let mut sheet = Sheet::new();
/// sheet.modify(potion);
/// assert_eq!(sheet.value(Attribute::Strength), 14);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Modifier<S: Stat> {
    /// The stat.
    #[serde(with = "by_name")]
    pub stat: S,
    /// The amount, which is added.
    pub amount: i32,
    /// The item, spell or state from which the modifier is.
    pub source: ModifierSource,
    /// The time of the clock at which [`expire_modifiers`] removes the modifier.
    #[serde(default)]
    pub until: Option<Duration>,
}

impl<S: Stat> Modifier<S> {
    /// A modifier without an end.
    #[must_use]
    pub fn new(stat: S, amount: i32, source: impl Into<ModifierSource>) -> Self {
        Self { stat, amount, source: source.into(), until: None }
    }

    /// The modifier with an end, counted from now on by a clock: the one that the schedule names in
    /// [`expire_modifiers`].
    #[must_use]
    pub fn lasts<T>(mut self, duration: Duration, clock: &Clock<T>) -> Self {
        self.until = Some(clock.elapsed().saturating_add(duration));
        self
    }

    pub(super) fn is_over(&self, now: Duration) -> bool {
        self.until.is_some_and(|until| until <= now)
    }
}

/// The source of a modifier: an entity, such as an item or a spell, or a name, such as that of a
/// state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum ModifierSource {
    /// An entity.
    Entity(Entity),
    /// A name.
    Name(Cow<'static, str>),
}

impl From<Entity> for ModifierSource {
    fn from(entity: Entity) -> Self {
        Self::Entity(entity)
    }
}

impl From<&'static str> for ModifierSource {
    fn from(name: &'static str) -> Self {
        Self::Name(Cow::Borrowed(name))
    }
}

impl From<String> for ModifierSource {
    fn from(name: String) -> Self {
        Self::Name(Cow::Owned(name))
    }
}

impl fmt::Display for ModifierSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Entity(entity) => write!(f, "entity {entity}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}

/// The time of a modifier is over. An event.
#[derive(Event, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Expired<S: Stat> {
    /// The entity with the sheet.
    pub entity: Entity,
    /// The modifier, which the sheet no longer has.
    pub modifier: Modifier<S>,
}

/// The amounts that an item adds to the sheet of its wearer while it is equipped: see [`wear`]. A
/// component of items.
#[derive(Component, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Bonus<S: Stat> {
    /// The stats and the amounts.
    #[serde(with = "amounts")]
    pub amounts: Vec<(S, i32)>,
}

impl<S: Stat> Bonus<S> {
    /// The item adds this amount to the stat.
    #[must_use]
    pub fn new(stat: S, amount: i32) -> Self {
        Self { amounts: vec![(stat, amount)] }
    }

    /// The bonus that also adds this amount to the stat.
    #[must_use]
    pub fn with(mut self, stat: S, amount: i32) -> Self {
        self.amounts.push((stat, amount));
        self
    }
}

/// System: removes modifiers whose time is over, and sends [`Expired`] for each.
///
/// A schedule names it with the stats and the tag of the clock, as
/// `expire_modifiers::<Trait, Game>`. The modifiers count their time by the same clock: see
/// [`Modifier::lasts`].
#[system]
pub fn expire_modifiers<S: Stat, T: 'static>(
    mut sheets: Query<(Entity, &mut Sheet<S>)>,
    clock: Res<Clock<T>>,
    mut expired: EventWriter<Expired<S>>,
) {
    let now = clock.elapsed();
    for (entity, sheet) in &mut sheets {
        sheet.expire(now, |modifier| expired.send(Expired { entity, modifier }));
    }
}

/// System: gives the wearer of a slot the [`Bonus`] of the item in it, and takes it back when the
/// item is no longer there, also because it was despawned.
///
/// A schedule names it behind the systems of the slot, as `wear::<Hand, Trait>`. The source of the
/// modifiers is the item.
///
/// # Cost
/// Linear in the number of slots that have an item.
#[system]
pub fn wear<E: EquipmentSlot, S: Stat>(
    slots: Query<(Entity, &Equips<E>)>,
    bonuses: Query<&Bonus<S>>,
    mut sheets: Query<&mut Sheet<S>>,
    mut worn: Local<Vec<(Entity, Entity)>>,
) {
    // the wearers and the items whose bonus they have, in ascending order
    let before = std::mem::take(&mut *worn);
    for &(entity, item) in &before {
        if slots.get(entity).is_none_or(|(_, slot)| slot.item != item)
            && let Some(sheet) = sheets.get_mut(entity)
        {
            sheet.take_back(item);
        }
    }
    for (entity, slot) in &slots {
        let item = slot.item;
        if before.binary_search(&(entity, item)).is_err() {
            let (Some(bonus), Some(sheet)) = (bonuses.get(item), sheets.get_mut(entity)) else { continue };
            sheet.take_back(item); // a file may have the modifiers, and not the state of the system
            for (stat, amount) in &bonus.amounts {
                sheet.modify(Modifier::new(*stat, *amount, item));
            }
        }
        worn.push((entity, item));
    }
    worn.sort_unstable();
}
