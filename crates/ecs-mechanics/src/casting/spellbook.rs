//! [`Spellbook`]: the spells that a caster knows, with their cooldowns.

use std::fmt;
use std::marker::PhantomData;
use std::time::Duration;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::CastingKind;

/// The spells that a caster knows. A component.
#[derive(Component, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Spellbook<C: CastingKind> {
    known: Vec<KnownSpell>,
    #[serde(skip)]
    kind: PhantomData<fn() -> C>,
}

/// A spell, and the time of the clock from which it can be cast.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct KnownSpell {
    spell: Entity,
    ready_at: Duration,
}

impl<C: CastingKind> Spellbook<C> {
    /// A book with these spells.
    #[must_use]
    pub fn new(spells: impl IntoIterator<Item = Entity>) -> Self {
        let mut book = Self::default();
        spells.into_iter().for_each(|spell| {
            book.learn(spell);
        });
        book
    }

    /// Adds a spell. Returns whether the caster did not know it.
    pub fn learn(&mut self, spell: Entity) -> bool {
        let is_new = !self.knows(spell);
        if is_new {
            self.known.push(KnownSpell { spell, ready_at: Duration::ZERO });
        }
        is_new
    }

    /// Removes a spell. Returns whether the caster knew it.
    pub fn forget(&mut self, spell: Entity) -> bool {
        let before = self.known.len();
        self.known.retain(|known| known.spell != spell);
        self.known.len() < before
    }

    /// Whether the caster knows a spell.
    #[must_use]
    pub fn knows(&self, spell: Entity) -> bool {
        self.ready_at(spell).is_some()
    }

    /// The spells, in the order in which they were learned.
    pub fn spells(&self) -> impl Iterator<Item = Entity> {
        self.known.iter().map(|known| known.spell)
    }

    /// The time of the clock of [`CastingKind::Clock`] from which a spell can be cast; `None`, if
    /// the caster does not know it.
    #[must_use]
    pub fn ready_at(&self, spell: Entity) -> Option<Duration> {
        self.known.iter().find(|known| known.spell == spell).map(|known| known.ready_at)
    }

    pub(super) fn set_ready_at(&mut self, spell: Entity, time: Duration) {
        if let Some(known) = self.known.iter_mut().find(|known| known.spell == spell) {
            known.ready_at = time;
        }
    }
}

impl<C: CastingKind> Default for Spellbook<C> {
    fn default() -> Self {
        Self { known: Vec::new(), kind: PhantomData }
    }
}

impl<C: CastingKind> Clone for Spellbook<C> {
    fn clone(&self) -> Self {
        Self { known: self.known.clone(), kind: PhantomData }
    }
}

impl<C: CastingKind> fmt::Debug for Spellbook<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.known.iter().map(|known| (known.spell, known.ready_at))).finish()
    }
}
