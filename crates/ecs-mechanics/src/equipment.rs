//! Equipment: slots of a body, such as a hand or a finger, each with one item of the inventory.
//!
//! A slot is a type with [`EquipmentSlot`], which says which items fit and who has the slot. The
//! item in it is a relation of the wearer, [`Equips`], so that `Option<&Equips<Hand>>` in a query
//! is the weapon in the hand; it is empty when the item is despawned. An item in a slot stays in
//! the inventory.
//!
//! Systems ask by the event [`Equip`]. The system [`change_equipment`] does what is possible,
//! answers by [`Equipped`], and sends an [`EquipmentRefusal`] for each request that is not
//! possible. [`try_change_equipment`] is strict: it fails with the first refusal.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_mechanics::equipment::{self, Equip, EquipmentSlot, Equips};
//! use ecs_mechanics::inventory::{self, CarriedBy};
//!
//! #[derive(Component)]
//! struct Weapon { damage: u32 }
//! #[derive(Component)]
//! struct Arms;
//!
//! /// The slot for a weapon, of everybody with arms.
//! enum Hand {}
//! impl EquipmentSlot for Hand {
//!     const NAME: &'static str = "hand";
//!     type Fits = Weapon;
//!     type Wearer = Arms;
//! }
//!
//! world! {
//!     struct Arena {
//!         include equipment::slot::<Hand> as hand;
//!         components { Weapon, Arms }
//!     }
//!     schedule turn { include equipment::run_slot::<Hand>; include inventory::sweep }
//! }
//!
//! let mut arena = Arena::new();
//! let knight = arena.spawn(Arms);
//! let sword = arena.spawn((Weapon { damage: 8 }, CarriedBy { bearer: knight, slot: 0 }));
//! arena.send(Equip::<Hand>::new(knight, sword));
//! arena.turn();
//! assert_eq!(arena.target::<Equips<Hand>>(knight), Some(sword));
//! ```

mod refusal;
mod requests;

use ecs::prelude::*;

pub use self::refusal::{EquipmentReason, EquipmentRefusal};
pub use self::requests::{change_equipment, settle, try_change_equipment};

use crate::inventory::{Inventory, Takeable};
use crate::tagged::tagged;

/// A slot for one item: the tag of [`Equips`] and of the events. It has no value; an enum without
/// variants will do.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a slot for equipment",
    label = "does not implement `EquipmentSlot`",
    note = "write `impl EquipmentSlot for {Self}`, with the component of what fits and that of who wears it"
)]
pub trait EquipmentSlot: 'static {
    /// The name in errors, such as `hand`.
    const NAME: &'static str;
    /// Whether an item takes the place of the one that is in the slot. Otherwise the slot must be
    /// empty.
    const REPLACES: bool = true;
    /// The component of the items that fit.
    type Fits: Component;
    /// The component of the entities that have the slot.
    type Wearer: Component;
}

tagged! {
    /// Has an item in a slot. A relation of the wearer to the item, which is removed when the item
    /// is despawned.
    ///
    /// [`change_equipment`] inserts it. After other code has done so, such as a prefab, [`settle`]
    /// marks the item as [`InUse`](crate::inventory::InUse).
    #[derive(Relation)]
    #[relation(exclusive, gone = remove)]
    #[serde(transparent)]
    pub struct Equips<S: EquipmentSlot> {
        /// The item.
        #[target]
        pub item: Entity,
    }
}

tagged! {
    /// Asks to put an item of the inventory into a slot, or to empty the slot. An event.
    #[derive(Event)]
    pub struct Equip<S: EquipmentSlot> {
        /// The entity with the slot, which carries the item.
        pub entity: Entity,
        /// The item; `None` to empty the slot. The item that was in it stays in the inventory.
        pub item: Option<Entity>,
    }
}

tagged! {
    /// A request for a slot was carried out. An event.
    #[derive(Event)]
    pub struct Equipped<S: EquipmentSlot> {
        /// The entity with the slot.
        pub entity: Entity,
        /// The item in the slot.
        pub item: Option<Entity>,
        /// The item that was in the slot before; the same one, if it was asked for again.
        pub before: Option<Entity>,
    }
}

impl<S: EquipmentSlot> Equips<S> {
    /// The relation to an item.
    #[must_use]
    pub const fn new(item: Entity) -> Self {
        Self::from_fields(item)
    }
}

impl<S: EquipmentSlot> Equip<S> {
    /// The request to put this item into the slot.
    #[must_use]
    pub const fn new(entity: Entity, item: Entity) -> Self {
        Self::from_fields(entity, Some(item))
    }

    /// The request to empty the slot.
    #[must_use]
    pub const fn nothing(entity: Entity) -> Self {
        Self::from_fields(entity, None)
    }
}

impl<S: EquipmentSlot> Equipped<S> {
    pub(crate) const fn new(entity: Entity, item: Option<Entity>, before: Option<Entity>) -> Self {
        Self::from_fields(entity, item, before)
    }
}

parts! {
    /// The data of equipment that is the same for all slots. Each [`slot`] includes it.
    pub equipment {
        needs crate::inventory::inventory;
        events { EquipmentRefusal(external) }
    }
}

parts! {
    /// A slot: `include equipment::slot::<Hand> as hand`. It includes the inventory, in which the
    /// items are.
    pub slot<S: EquipmentSlot = Held> {
        include crate::inventory::inventory;
        include equipment;
        components {
            /// The item in the slot.
            Equips<S>
        }
        events { Equip<S>(external), Equipped<S> }
        schedule run_slot { change_equipment::<S>; settle::<S> }
    }
}

/// The slot for one item of any kind, of everybody with an [`Inventory`]: for games that need no
/// slots of their own.
pub enum Held {}

impl EquipmentSlot for Held {
    const NAME: &'static str = "held";
    type Fits = Takeable;
    type Wearer = Inventory;
}
