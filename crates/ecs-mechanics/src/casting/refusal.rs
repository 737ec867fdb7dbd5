//! [`CastRefusal`]: a cast that was not possible, as an event and as an error.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::time::Duration;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::TargetRule;

/// A request to cast a spell is not possible. The event of [`cast`](super::cast), and the error of
/// [`try_cast`](super::try_cast).
#[derive(Event, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CastRefusal {
    /// The entity of the request.
    pub entity: Entity,
    /// The spell of the request.
    pub spell: Entity,
    /// The name of the kind of casting.
    pub kind: Cow<'static, str>,
    /// The reason.
    pub reason: CastReason,
}

/// The reason of a [`CastRefusal`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum CastReason {
    /// The entity has no [`Spellbook`](super::Spellbook), or is despawned.
    NoSpellbook,
    /// The spell is not in the spellbook.
    NotKnown,
    /// The spell has no component [`Spell`](super::Spell), or is despawned.
    NotASpell,
    /// The life of the entity is empty.
    Lifeless,
    /// The entity is casting this spell.
    Busy(Entity),
    /// The spell was cast not long ago.
    CoolingDown {
        /// The time up to the end of the cooldown.
        left: Duration,
    },
    /// The meter of the entity has less than the spell costs.
    NotEnough {
        /// The name of the meter.
        meter: Cow<'static, str>,
        /// The cost.
        needed: u32,
        /// The amount of the meter; zero, if the entity has none.
        now: u32,
    },
    /// The spell needs a target.
    NoTarget,
    /// The spell does not take this target.
    WrongTarget(TargetRule),
    /// The target is despawned.
    TargetGone,
    /// The caster or the target is at no place, or the target is out of range.
    OutOfRange,
}

impl fmt::Display for CastReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSpellbook => f.write_str("it has no spellbook"),
            Self::NotKnown => f.write_str("it does not know the spell"),
            Self::NotASpell => f.write_str("that is no spell"),
            Self::Lifeless => f.write_str("its life is empty"),
            Self::Busy(spell) => write!(f, "it is casting spell {spell}"),
            Self::CoolingDown { left } => write!(f, "the spell cools down for {left:?} more"),
            Self::NotEnough { meter, needed, now } => {
                write!(f, "{needed} {meter} are needed, and there are {now}")
            }
            Self::NoTarget => f.write_str("the spell needs a target"),
            Self::WrongTarget(rule) => {
                let rule = match rule {
                    TargetRule::Nobody => "no target",
                    TargetRule::Caster => "the caster as its target",
                    TargetRule::Other => "another entity than the caster",
                    TargetRule::Anybody => "any target",
                    TargetRule::Friend => "a target on the same side",
                    TargetRule::Foe => "a target on another side",
                };
                write!(f, "the spell takes {rule}")
            }
            Self::TargetGone => f.write_str("the target is despawned"),
            Self::OutOfRange => f.write_str("the target is out of range"),
        }
    }
}

impl fmt::Display for CastRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entity, spell, kind, reason } = self;
        write!(f, "entity {entity} cannot cast spell {spell} of {kind}: {reason}")
    }
}

impl Error for CastRefusal {}
