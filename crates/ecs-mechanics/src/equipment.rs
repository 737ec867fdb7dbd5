//! Equipment: slots of a body, such as a hand or a finger, each with one item of the inventory.
//!
//! A slot is a type with [`EquipmentSlot`], which says which items fit and who has the slot. The item in it is a relation of the wearer,
//! [`Equips`], so that `Option<&Equips<Hand>>` in a query is the weapon in the hand; it is empty when the item is despawned. An item in a
//! slot stays in the inventory.
//!
//! Systems ask by the events [`Equip`] and [`Unequip`]. The system [`change_equipment`] does what is possible, answers by [`Equipped`] and
//! [`Unequipped`], and sends an [`EquipmentRefusal`] for each request that is not possible. [`try_change_equipment`] is strict: it fails
//! with the first refusal.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_mechanics::equipment::{self, Equip, EquipmentSlot, Equipped, Equips, Unequip, Unequipped, change_equipment};
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
//!         include inventory::inventory;
//!         include equipment::equipment;
//!         components { Weapon, Arms, in_hand: Equips<Hand> }
//!         events {
//!             Equip<Hand>(external), Unequip<Hand>(external), Equipped<Hand>(external), Unequipped<Hand>(external),
//!         }
//!     }
//!     schedule turn { change_equipment::<Hand>; include inventory::sweep }
//! }
//!
//! let mut arena = Arena::new();
//! let knight = arena.spawn(Arms);
//! let sword = arena.spawn((Weapon { damage: 8 }, CarriedBy { who: knight, slot: 0 }));
//! arena.send(Equip::<Hand>::new(knight, sword));
//! arena.turn();
//! assert_eq!(arena.target::<Equips<Hand>>(knight), Some(sword));
//! ```

mod refusal;
mod requests;

use ecs::prelude::*;

pub use self::refusal::{EquipmentReason, EquipmentRefusal};
pub use self::requests::{change_equipment, release, try_change_equipment};

use crate::tagged::tagged;

/// A slot for one item: the tag of [`Equips`] and of the events. It has no value; an enum without variants will do.
pub trait EquipmentSlot: 'static {
    /// The name in errors, such as `hand`.
    const NAME: &'static str;
    /// Whether an item takes the place of the one that is in the slot. Otherwise the slot must be empty.
    const REPLACES: bool = true;
    /// The component of the items that fit.
    type Fits: Component;
    /// The component of the entities that have the slot.
    type Wearer: Component;
}

tagged! {
    /// Has an item in a slot. A relation of the wearer to the item, which is removed when the item is despawned.
    #[derive(Relation)]
    #[relation(exclusive, gone = remove)]
    pub struct Equips<S: EquipmentSlot> {
        /// The item.
        #[target]
        pub item: Entity,
    }
}

tagged! {
    /// Asks to put an item of the inventory into a slot. An event.
    #[derive(Event)]
    pub struct Equip<S: EquipmentSlot> {
        /// The entity with the slot, which carries the item.
        pub who: Entity,
        /// The item.
        pub item: Entity,
    }
}

tagged! {
    /// Asks to empty a slot. The item stays in the inventory. An event.
    #[derive(Event)]
    pub struct Unequip<S: EquipmentSlot> {
        /// The entity with the slot.
        pub who: Entity,
    }
}

tagged! {
    /// An item was put into a slot, or was in it already. An event.
    #[derive(Event)]
    pub struct Equipped<S: EquipmentSlot> {
        /// The entity with the slot.
        pub who: Entity,
        /// The item.
        pub item: Entity,
    }
}

tagged! {
    /// An item was taken out of a slot. An event.
    #[derive(Event)]
    pub struct Unequipped<S: EquipmentSlot> {
        /// The entity with the slot.
        pub who: Entity,
        /// The item.
        pub item: Entity,
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
    pub const fn new(who: Entity, item: Entity) -> Self {
        Self::from_fields(who, item)
    }
}

impl<S: EquipmentSlot> Unequip<S> {
    /// The request to empty the slot.
    #[must_use]
    pub const fn new(who: Entity) -> Self {
        Self::from_fields(who)
    }
}

impl<S: EquipmentSlot> Equipped<S> {
    /// The report of an item in the slot.
    #[must_use]
    pub const fn new(who: Entity, item: Entity) -> Self {
        Self::from_fields(who, item)
    }
}

impl<S: EquipmentSlot> Unequipped<S> {
    /// The report of an item that left the slot.
    #[must_use]
    pub const fn new(who: Entity, item: Entity) -> Self {
        Self::from_fields(who, item)
    }
}

parts! {
    /// The data of equipment that is the same for all slots. For each slot, the world lists `Equips`, `Equip`, `Unequip`, `Equipped` and
    /// `Unequipped`.
    pub equipment {
        needs crate::inventory::inventory;
        events { EquipmentRefusal(external) }
    }
}
