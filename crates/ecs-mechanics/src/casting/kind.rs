//! [`CastingKind`]: the types of a game that casting uses.

use crate::clocks::Game;
use crate::meters::{Health, Mana, MeterKind};
use crate::places::Located;
use crate::rooms::InRoom;

/// A kind of casting: the tag of [`Spell`](super::Spell) and the other types. It has no value; an
/// enum without variants will do.
///
/// ```
/// use ecs::prelude::*;
/// use ecs_mechanics::casting::CastingKind;
/// use ecs_mechanics::meters::{Health, Stamina};
/// use ecs_mechanics::places::Located;
/// use ecs_mechanics::sight::Cell;
/// use ecs_mechanics::turns::Turn;
///
/// #[derive(Component)]
/// struct Position(i32);
///
/// impl Located for Position {
///     type Place = Cell;
///     fn place(&self) -> Cell { Cell::new(self.0, 0) }
/// }
///
/// /// Moves of a fighter, which cost stamina and take turns.
/// enum Moves {}
/// impl CastingKind for Moves {
///     const NAME: &'static str = "moves";
///     type Cost = Stamina;
///     type Life = Health;
///     type Position = Position;
///     type Clock = Turn;
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a kind of casting",
    label = "does not implement `CastingKind`",
    note = "write `impl CastingKind for {Self}`, with the meter that pays, the meter whose loss interrupts, the place and the clock"
)]
pub trait CastingKind: 'static {
    /// The name in errors, such as `sorcery`.
    const NAME: &'static str;
    /// The meter that pays.
    type Cost: MeterKind;
    /// The meter whose loss is damage. An entity whose meter is empty cannot cast; an entity
    /// without this meter can, and damage does not interrupt it. The kind is another one than
    /// [`Cost`](Self::Cost): a system cannot ask for one component twice.
    type Life: MeterKind;
    /// The component that says where an entity is. A spell reaches targets
    /// [within](crate::places::Place::is_within) its range.
    type Position: Located;
    /// The tag of the clock that counts cast times and cooldowns.
    type Clock: 'static;
}

/// Spells that cost [`Mana`], in [rooms](crate::rooms), in game time; loss of [`Health`] interrupts
/// them.
pub enum Sorcery {}

impl CastingKind for Sorcery {
    const NAME: &'static str = "sorcery";
    type Cost = Mana;
    type Life = Health;
    type Position = InRoom;
    type Clock = Game;
}

/// The place of the entities of a kind.
pub(super) type PlaceOf<C> = <<C as CastingKind>::Position as Located>::Place;
