//! Casting: spells with a cost, a cast time, a cooldown, a range and a target, which damage and
//! movement may interrupt.
//!
//! A spell is an entity with the component [`Spell`], which has its rules; the effect of a spell is
//! the game's own, in other components of the same entity. A caster has a [`Spellbook`] with the
//! spells that it knows. The types of a game stand in one implementation of [`CastingKind`]: the
//! meter that pays, the meter whose loss interrupts, the place, and the clock.
//!
//! Systems ask by the event [`CastSpell`]. The system [`cast`] begins casts, ends those whose time
//! is over, answers by [`CastBegun`], [`SpellCast`] and [`CastInterrupted`], and sends a
//! [`CastRefusal`] for each request that is not possible. [`try_cast`] is strict: it fails with the
//! first refusal. The game reads [`SpellCast`] and does what the spell does.
//!
//! ```
//! use std::time::Duration;
//!
//! use ecs::prelude::*;
//! use ecs_mechanics::casting::{self, CastSpell, Sorcery, Spell, SpellCast, Spellbook, TargetRule};
//! use ecs_mechanics::clocks::{self, Clock, Wall};
//! use ecs_mechanics::meters::{self, Health, Mana, Meter};
//! use ecs_mechanics::rooms;
//!
//! /// The effect of a spell of this game.
//! #[derive(Component)]
//! struct Damage(u32);
//!
//! world! {
//!     struct Arena {
//!         include clocks::clocks;
//!         include meters::health;
//!         include meters::mana;
//!         include rooms::rooms;
//!         include casting::casting::<Sorcery>;
//!         components { Damage }
//!     }
//!     schedule frame { include clocks::advance; include casting::run_casting::<Sorcery>; burn }
//! }
//!
//! #[system(Arena)]
//! fn burn(mut cast: EventReader<SpellCast<Sorcery>>, spells: Query<&Damage>, mut bodies: Query<&mut Meter<Health>>) {
//!     for cast in &mut cast {
//!         let (Some(damage), Some(target)) = (spells.get(cast.spell), cast.target) else { continue };
//!         bodies.get_mut(target).unwrap().take(damage.0);
//!     }
//! }
//!
//! let mut arena = Arena::new();
//! let rules = Spell::<Sorcery>::new(3, TargetRule::Other).cast_time(Duration::from_millis(200));
//! let fire = arena.spawn((rules, Damage(5)));
//! let mage = arena.spawn((Spellbook::<Sorcery>::new([fire]), Meter::<Mana>::full(10)));
//! let orc = arena.spawn(Meter::<Health>::full(8));
//! arena.send(CastSpell::<Sorcery>::at(mage, fire, orc));
//! for health in [8, 8, 3] {
//!     arena.resource_mut::<Clock<Wall>>().advance(Duration::from_millis(100));
//!     arena.frame();
//!     assert_eq!(arena.get::<Meter<Health>>(orc).unwrap().now(), health);
//! }
//! assert_eq!(arena.get::<Meter<Mana>>(mage).unwrap().now(), 7);
//! ```

mod events;
mod kind;
mod progress;
mod refusal;
mod spell;
mod spellbook;

use ecs::prelude::*;

pub use self::events::{CastBegun, CastInterrupted, CastSpell, Interruption, SpellCast};
pub use self::kind::{CastingKind, Sorcery};
pub use self::progress::{Casting, cast, try_cast};
pub use self::refusal::{CastReason, CastRefusal};
pub use self::spell::{Side, Spell, TargetRule};
pub use self::spellbook::Spellbook;

parts! {
    /// Spells and casters of one kind.
    pub casting<C: CastingKind = Sorcery> {
        needs crate::clocks::clocks;
        needs crate::meters::health;
        needs crate::meters::mana;
        needs crate::rooms::rooms;
        components {
            /// The rules of a spell.
            Spell<C>,
            /// The spells that a caster knows.
            Spellbook<C>,
            /// The spell that a caster is casting.
            Casting<C>,
            /// The side on which a caster or a target is.
            Side,
        }
        events {
            CastSpell<C>(external),
            CastBegun<C>,
            SpellCast<C>,
            CastInterrupted<C>,
            CastRefusal,
        }
        schedule run_casting { cast::<C> }
    }
}
