//! [`CastingKind`]: the types of a game that casting uses.

use ecs::prelude::*;

use crate::clocks::Game;
use crate::meters::{Health, Mana, MeterKind};
use crate::movement::Position;
use crate::rooms::InRoom;
use crate::sight::Placed;

/// A kind of casting: the tag of [`Spell`](super::Spell) and the other types. It has no value; an enum without variants will do.
///
/// ```
/// use ecs::prelude::*;
/// use ecs_mechanics::casting::{CastingKind, Reach};
/// use ecs_mechanics::meters::{Health, Stamina};
/// use ecs_mechanics::turns::Turn;
///
/// #[derive(Component, Clone, PartialEq)]
/// struct Position(i32);
///
/// impl Reach for Position {
///     fn reaches(&self, target: &Self, range: u32) -> bool { self.0.abs_diff(target.0) <= range }
/// }
///
/// /// Moves of a fighter, which cost stamina and take turns.
/// enum Moves {}
/// impl CastingKind for Moves {
///     const NAME: &'static str = "moves";
///     type Cost = Stamina;
///     type Life = Health;
///     type Place = Position;
///     type Clock = Turn;
/// }
/// ```
pub trait CastingKind: 'static {
    /// The name in errors, such as `sorcery`.
    const NAME: &'static str;
    /// The meter that pays.
    type Cost: MeterKind;
    /// The meter whose loss is damage. An entity whose meter is empty cannot cast; an entity without this meter can, and damage does
    /// not interrupt it.
    /// The kind is another one than [`Cost`](Self::Cost): a system cannot ask for one component twice.
    type Life: MeterKind;
    /// The component that says where an entity is.
    type Place: Reach;
    /// The tag of the clock that counts cast times and cooldowns.
    type Clock: 'static;
}

/// A component that says where an entity is, and how far it is to others. Cells of [`Placed`], [`Position`] and
/// [`InRoom`] implement it.
pub trait Reach: Component + Clone + PartialEq {
    /// Whether a caster at this place reaches a target at the other place with a spell of this range.
    fn reaches(&self, target: &Self, range: u32) -> bool;
}

/// The range is in cells, in a straight line between their middles.
impl<P: Placed + Clone + PartialEq> Reach for P {
    fn reaches(&self, target: &Self, range: u32) -> bool {
        let (from, to) = (self.cell(), target.cell());
        let [x, y] = [from.x.abs_diff(to.x), from.y.abs_diff(to.y)].map(u128::from);
        x * x + y * y <= u128::from(range) * u128::from(range)
    }
}

/// The range is in the unit of length of [`movement`](crate::movement).
impl Reach for Position {
    fn reaches(&self, target: &Self, range: u32) -> bool {
        (target.0 - self.0).length() <= range as f32
    }
}

/// A caster reaches the entities in its room, and no others; the number of the range does not matter.
impl Reach for InRoom {
    fn reaches(&self, target: &Self, _range: u32) -> bool {
        self == target
    }
}

/// Spells that cost [`Mana`], in [rooms](crate::rooms), in game time; loss of [`Health`] interrupts them.
pub enum Sorcery {}

impl CastingKind for Sorcery {
    const NAME: &'static str = "sorcery";
    type Cost = Mana;
    type Life = Health;
    type Place = InRoom;
    type Clock = Game;
}
