//! The events of casting.

use std::fmt;
use std::marker::PhantomData;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::{CastReason, CastingKind};
use crate::tagged::tagged;

tagged! {
    /// Asks to cast a spell. An event.
    #[derive(Event)]
    pub struct CastSpell<C: CastingKind> {
        /// The caster.
        pub entity: Entity,
        /// The spell.
        pub spell: Entity,
        /// The target.
        pub target: Option<Entity>,
    }
}

tagged! {
    /// A cast that takes time has begun. An event.
    #[derive(Event)]
    pub struct CastBegun<C: CastingKind> {
        /// The caster.
        pub entity: Entity,
        /// The spell.
        pub spell: Entity,
        /// The target.
        pub target: Option<Entity>,
    }
}

tagged! {
    /// A spell takes effect: its cost is taken, and its cooldown has begun. An event, which the
    /// game reads.
    #[derive(Event)]
    pub struct SpellCast<C: CastingKind> {
        /// The caster.
        pub entity: Entity,
        /// The spell.
        pub spell: Entity,
        /// The target; the caster, for a spell on the caster, and `None` for a spell without a
        /// target.
        pub target: Option<Entity>,
    }
}

impl<C: CastingKind> CastSpell<C> {
    /// The request to cast a spell without a target, or on the caster.
    #[must_use]
    pub const fn new(entity: Entity, spell: Entity) -> Self {
        Self::from_fields(entity, spell, None)
    }

    /// The request to cast a spell on a target.
    #[must_use]
    pub const fn at(entity: Entity, spell: Entity, target: Entity) -> Self {
        Self::from_fields(entity, spell, Some(target))
    }
}

impl<C: CastingKind> CastBegun<C> {
    pub(super) const fn new(entity: Entity, spell: Entity, target: Option<Entity>) -> Self {
        Self::from_fields(entity, spell, target)
    }
}

impl<C: CastingKind> SpellCast<C> {
    pub(super) const fn new(entity: Entity, spell: Entity, target: Option<Entity>) -> Self {
        Self::from_fields(entity, spell, target)
    }
}

/// A cast has ended without effect: it costs nothing, and there is no cooldown. An event.
#[derive(Event, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct CastInterrupted<C: CastingKind> {
    /// The caster.
    pub entity: Entity,
    /// The spell.
    pub spell: Entity,
    /// The reason.
    pub reason: Interruption,
    #[serde(skip)]
    kind: PhantomData<fn() -> C>,
}

/// The reason of a [`CastInterrupted`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Interruption {
    /// The caster's life is less than at the beginning of the cast.
    Damage,
    /// The caster is at another place than at the beginning of the cast.
    Movement,
    /// The cast is no longer possible, for instance because the target is gone, or out of range.
    NotPossible(CastReason),
}

impl<C: CastingKind> CastInterrupted<C> {
    pub(super) const fn new(entity: Entity, spell: Entity, reason: Interruption) -> Self {
        Self { entity, spell, reason, kind: PhantomData }
    }
}

impl<C: CastingKind> Clone for CastInterrupted<C> {
    fn clone(&self) -> Self {
        Self::new(self.entity, self.spell, self.reason.clone())
    }
}

impl<C: CastingKind> fmt::Debug for CastInterrupted<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, spell, reason, .. } = self;
        write!(f, "CastInterrupted {{ entity: {entity}, spell: {spell}, reason: {reason:?} }}")
    }
}
