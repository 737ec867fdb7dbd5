//! [`Spell`]: the rules of a spell.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::CastingKind;

/// The rules of a spell. A component of an entity that stands for the spell; its effects are in
/// other components of the entity.
#[derive(Component, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Spell<C: CastingKind> {
    /// The amount that the caster's meter must have when the cast begins, and that is taken when it
    /// ends.
    pub cost: u32,
    /// The time from the beginning to the end; zero for a spell that takes effect at once.
    #[serde(default)]
    pub cast_time: Duration,
    /// The time after the end for which the caster cannot cast the spell again.
    #[serde(default)]
    pub cooldown: Duration,
    /// The greatest distance to a target, as [`Place`](crate::places::Place) measures it; `None`
    /// for any, at any place.
    #[serde(default)]
    pub range: Option<u32>,
    /// The target that the spell takes.
    pub target: TargetRule,
    /// Whether the spell ends without effect when the caster loses life.
    #[serde(default = "yes")]
    pub damage_interrupts: bool,
    /// Whether the spell ends without effect when the caster is at another place.
    #[serde(default = "yes")]
    pub movement_interrupts: bool,
    #[serde(skip)]
    kind: PhantomData<fn() -> C>,
}

const fn yes() -> bool {
    true
}

impl<C: CastingKind> Spell<C> {
    /// A spell that takes effect at once, has no cooldown, and reaches any place.
    #[must_use]
    pub const fn new(cost: u32, target: TargetRule) -> Self {
        Self {
            cost,
            cast_time: Duration::ZERO,
            cooldown: Duration::ZERO,
            range: None,
            target,
            damage_interrupts: true,
            movement_interrupts: true,
            kind: PhantomData,
        }
    }

    /// The spell with this time from the beginning to the end. Damage and movement interrupt it.
    #[must_use]
    pub const fn cast_time(mut self, time: Duration) -> Self {
        self.cast_time = time;
        self
    }

    /// The spell with this cooldown.
    #[must_use]
    pub const fn cooldown(mut self, time: Duration) -> Self {
        self.cooldown = time;
        self
    }

    /// The spell with this range.
    #[must_use]
    pub const fn range(mut self, range: u32) -> Self {
        self.range = Some(range);
        self
    }

    /// The spell that damage does not interrupt.
    #[must_use]
    pub const fn steady(mut self) -> Self {
        self.damage_interrupts = false;
        self
    }

    /// The spell that movement does not interrupt.
    #[must_use]
    pub const fn on_the_move(mut self) -> Self {
        self.movement_interrupts = false;
        self
    }
}

impl<C: CastingKind> Clone for Spell<C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: CastingKind> Copy for Spell<C> {}

impl<C: CastingKind> fmt::Debug for Spell<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("Spell");
        fields
            .field("cost", &self.cost)
            .field("cast_time", &self.cast_time)
            .field("cooldown", &self.cooldown);
        fields.field("range", &self.range).field("target", &self.target);
        fields.field("damage_interrupts", &self.damage_interrupts);
        fields.field("movement_interrupts", &self.movement_interrupts).finish()
    }
}

/// The target that a spell takes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum TargetRule {
    /// No target.
    Nobody,
    /// The caster; a request without a target means the caster.
    Caster,
    /// Another entity than the caster.
    Other,
    /// Any entity.
    Anybody,
    /// The caster, or an entity whose [`Side`] is that of the caster.
    Friend,
    /// An entity whose [`Side`] is another one than that of the caster.
    Foe,
}

/// The side on which a caster or a target is, by a number of the game's choice. A component, for
/// [`TargetRule::Friend`] and [`TargetRule::Foe`].
#[derive(Component, Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Side(pub u32);

impl TargetRule {
    /// The target of a request, if the rule allows it: `Some(None)` for a spell without a target.
    pub(super) fn target(
        self,
        caster: Entity,
        asked: Option<Entity>,
        side: impl Fn(Entity) -> Option<Side>,
    ) -> Result<Option<Entity>, super::CastReason> {
        use super::CastReason::{NoTarget, WrongTarget};
        // the caster may be left out where it is the only, or the usual, target
        if self == Self::Caster || self == Self::Friend && asked.is_none() {
            let is_caster = asked.is_none_or(|target| target == caster);
            return if is_caster { Ok(Some(caster)) } else { Err(WrongTarget(self)) };
        }
        let Some(target) = asked else {
            return if self == Self::Nobody { Ok(None) } else { Err(NoTarget) };
        };
        // an entity without a side is neither friend nor foe
        let sides = || Some((side(caster)?, side(target)?));
        let fits = match self {
            Self::Nobody | Self::Caster => false,
            Self::Other => target != caster,
            Self::Anybody => true,
            Self::Friend => target == caster || sides().is_some_and(|(own, other)| own == other),
            Self::Foe => sides().is_some_and(|(own, other)| own != other),
        };
        if fits { Ok(Some(target)) } else { Err(WrongTarget(self)) }
    }
}
