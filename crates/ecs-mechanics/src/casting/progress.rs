//! [`Casting`], a cast that takes time, and the systems that begin, interrupt and end casts.

use std::fmt;
use std::time::Duration;

use ecs::prelude::*;
use ecs::time::Clock;
use serde::{Deserialize, Serialize};

use super::kind::PlaceOf;
use super::{
    CastBegun, CastInterrupted, CastReason, CastRefusal, CastSpell, CastingKind, Interruption, Side, Spell,
    SpellCast, Spellbook,
};
use crate::meters::{Meter, MeterKind};
use crate::places::{Located, Place};

/// The spell that a caster is casting. A component, which [`cast`] inserts and removes; to cancel
/// the cast, remove it.
///
/// A world that is saved in the middle of a cast continues with it.
#[derive(Component, Serialize, Deserialize)]
#[serde(bound(serialize = "PlaceOf<C>: Serialize", deserialize = "PlaceOf<C>: Deserialize<'de>"))]
pub struct Casting<C: CastingKind> {
    spell: Entity,
    target: Option<Entity>,
    ends_at: Duration,
    /// The place at the beginning.
    place: Option<PlaceOf<C>>,
    /// The life at the last look.
    life: Option<u32>,
}

impl<C: CastingKind> Casting<C> {
    /// The spell.
    #[must_use]
    pub const fn spell(&self) -> Entity {
        self.spell
    }

    /// The target.
    #[must_use]
    pub const fn target(&self) -> Option<Entity> {
        self.target
    }

    /// The time of the clock of [`CastingKind::Clock`] at which the spell takes effect.
    #[must_use]
    pub const fn ends_at(&self) -> Duration {
        self.ends_at
    }
}

impl<C: CastingKind> fmt::Debug for Casting<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { spell, target, ends_at, .. } = self;
        write!(f, "Casting {{ spell: {spell}, target: {target:?}, ends_at: {ends_at:?} }}")
    }
}

impl<C: CastingKind> Clone for Casting<C> {
    fn clone(&self) -> Self {
        let Self { spell, target, ends_at, place, life } = self;
        Self { spell: *spell, target: *target, ends_at: *ends_at, place: *place, life: *life }
    }
}

/// System: interrupts and ends casts, and then carries out the requests [`CastSpell`], in the order
/// in which they were sent. Requests that are not possible are answered by [`CastRefusal`].
///
/// A schedule names it with the kind, as `cast::<Sorcery>`, behind the systems that advance the
/// clock, move casters and hurt them. Casts end in the order of the casters' slots. A cast whose
/// time is over takes effect, unless the caster was hurt or has moved, or the cast has become
/// impossible: then it costs nothing.
///
/// # Cost
/// Linear in the number of casts and requests, and for each of them in the number of spells that
/// the caster knows.
#[system]
pub fn cast<C: CastingKind>(
    mut requests: EventReader<CastSpell<C>>,
    mut casts: Casts<'_, C>,
    mut refused: EventWriter<CastRefusal>,
) {
    casts.continue_all();
    refused.extend(requests.iter().filter_map(|request| casts.begin(request).err()));
}

/// System: [`cast`] that fails with the first request that is not possible. The requests before it
/// are carried out. An interruption is no error.
///
/// # Errors
/// A request is not possible.
#[system]
pub fn try_cast<C: CastingKind>(
    mut requests: EventReader<CastSpell<C>>,
    mut casts: Casts<'_, C>,
) -> Result<(), CastRefusal> {
    casts.continue_all();
    requests.iter().try_for_each(|request| casts.begin(request))
}

/// The parameters of [`cast`] and [`try_cast`], apart from the requests and refusals.
#[derive(SystemParam)]
pub struct Casts<'w, C: CastingKind> {
    casts: Storage<'w, Casting<C>>,
    casters: Query<'w, &'static mut Spellbook<C>>,
    spells: Query<'w, &'static Spell<C>>,
    costs: Query<'w, &'static mut Meter<C::Cost>>,
    lives: Query<'w, &'static Meter<C::Life>>,
    places: Query<'w, &'static C::Position>,
    sides: Query<'w, &'static Side>,
    everybody: Query<'w, Entity>,
    clock: Res<'w, Clock<C::Clock>>,
    begun: EventWriter<'w, CastBegun<C>>,
    done: EventWriter<'w, SpellCast<C>>,
    interrupted: EventWriter<'w, CastInterrupted<C>>,
}

impl<C: CastingKind> Casts<'_, C> {
    fn now(&self) -> Duration {
        self.clock.elapsed()
    }

    /// Interrupts and ends the casts that have begun in earlier runs.
    fn continue_all(&mut self) {
        let (mut ended, mut healed) = (Vec::new(), Vec::new());
        // all casts are checked before the first spell takes effect
        for (entity, cast) in self.casts.iter() {
            let &Casting { spell, target, ends_at, life, .. } = cast;
            let seen = self.lives.get(entity).map(Meter::now);
            match self.interruption(entity, cast) {
                Some(reason) => ended.push((entity, spell, target, Err(reason))),
                None if ends_at <= self.now() => ended.push((entity, spell, target, Ok(()))),
                None if seen != life => healed.push((entity, seen)),
                None => {}
            }
        }
        // a later loss is measured from the new life
        for (entity, seen) in healed {
            if let Some(cast) = self.casts.get_mut(entity) {
                cast.life = seen;
            }
        }
        // a cast whose time is over is checked once more: target, cost and range may have changed
        for (entity, spell, target, end) in ended {
            self.casts.remove(entity);
            let end = end.and_then(|()| {
                let (rules, target) = self.check(entity, spell, target).map_err(Interruption::NotPossible)?;
                self.take_effect(entity, spell, rules, target);
                Ok(())
            });
            if let Err(reason) = end {
                self.interrupted.send(CastInterrupted::new(entity, spell, reason));
            }
        }
    }

    /// The reason for which a cast ends now.
    fn interruption(&self, entity: Entity, cast: &Casting<C>) -> Option<Interruption> {
        let Some(spell) = self.spells.get(cast.spell) else {
            return Some(Interruption::NotPossible(CastReason::NotASpell));
        };
        let life = self.lives.get(entity).map(Meter::now);
        if spell.damage_interrupts && life < cast.life {
            return Some(Interruption::Damage);
        }
        (spell.movement_interrupts && self.places.get(entity).map(Located::place) != cast.place)
            .then_some(Interruption::Movement)
    }

    /// Begins a cast. A spell without a cast time takes effect at once.
    fn begin(&mut self, request: &CastSpell<C>) -> Result<(), CastRefusal> {
        let &CastSpell { entity, spell, target, .. } = request;
        let refusal = |reason| CastRefusal { entity, spell, kind: C::NAME.into(), reason };
        // one cast at a time, also of the same spell
        if let Some(cast) = self.casts.get(entity) {
            return Err(refusal(CastReason::Busy(cast.spell)));
        }
        let (rules, target) = self.check(entity, spell, target).map_err(refusal)?;
        // the costs are taken when the spell takes effect, so here only for a spell without a cast
        // time
        if rules.cast_time.is_zero() {
            self.take_effect(entity, spell, rules, target);
            return Ok(());
        }
        let cast = Casting {
            spell,
            target,
            ends_at: self.now().saturating_add(rules.cast_time),
            // to notice later that the caster has moved or was hurt
            place: self.places.get(entity).map(Located::place),
            life: self.lives.get(entity).map(Meter::now),
        };
        self.casts.insert(entity, cast).expect("a query has found it");
        self.begun.send(CastBegun::new(entity, spell, target));
        Ok(())
    }

    /// The rules and the target of a cast that is possible.
    fn check(
        &self,
        entity: Entity,
        spell: Entity,
        target: Option<Entity>,
    ) -> Result<(Spell<C>, Option<Entity>), CastReason> {
        // the caster and the spell, then time and costs, then the target: the first reason is
        // reported
        let book = self.casters.get(entity).ok_or(CastReason::NoSpellbook)?;
        let ready_at = book.ready_at(spell).ok_or(CastReason::NotKnown)?;
        let rules = *self.spells.get(spell).ok_or(CastReason::NotASpell)?;
        if self.lives.get(entity).is_some_and(Meter::is_empty) {
            return Err(CastReason::Lifeless);
        }
        if ready_at > self.now() {
            return Err(CastReason::CoolingDown { left: ready_at - self.now() });
        }
        let (needed, now) = (rules.cost, self.costs.get(entity).map_or(0, |meter| meter.now()));
        if now < needed {
            return Err(CastReason::NotEnough { meter: C::Cost::NAME.into(), needed, now });
        }
        let target = rules.target.target(entity, target, |entity| self.sides.get(entity).copied())?;
        // the caster is alive and within any range
        if let Some(target) = target.filter(|target| *target != entity) {
            if !self.everybody.contains(target) {
                return Err(CastReason::TargetGone);
            }
            let places = || Some((self.places.get(entity)?.place(), self.places.get(target)?.place()));
            let reaches = |range| places().is_some_and(|(from, to)| from.is_within(to, range));
            if !rules.range.is_none_or(reaches) {
                return Err(CastReason::OutOfRange);
            }
        }
        Ok((rules, target))
    }

    /// Takes the cost and begins the cooldown.
    fn take_effect(&mut self, entity: Entity, spell: Entity, rules: Spell<C>, target: Option<Entity>) {
        if let Some(meter) = self.costs.get_mut(entity) {
            meter.take(rules.cost);
        }
        let ready_at = self.now().saturating_add(rules.cooldown);
        if let Some(book) = self.casters.get_mut(entity) {
            book.set_ready_at(spell, ready_at);
        }
        self.done.send(SpellCast::new(entity, spell, target));
    }
}
