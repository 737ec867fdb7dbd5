//! The interface between a column and the rule of its component, such as an index, a unique
//! component or a relation.
//!
//! Code above the storage that keeps something in step with the values of a column hears of changes
//! through this interface: the column has a [`RuleState`] from its first value on, and every
//! function that adds, replaces or removes values calls it.
//!
//! No unsafe code relies on a rule state, because its functions call traits that users implement.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::any::Any;

use super::column::Column;
use crate::base::mask::Bits;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::journal::RecordedAction;
use crate::entity::regrouped::Regrouped;
use crate::error::Reason;

/// The state of a rule for one column, such as the map of an index.
///
/// While one of its functions gets the column, the state is not in it.
pub trait RuleState<T>: Send + Sync {
    /// The state as `Any`, to downcast it to its type.
    fn as_any(&self) -> &dyn Any;

    /// The mutable state as `Any`, to downcast it to its type; `None` if the type has no functions
    /// of its own that change it.
    fn as_any_mut(&mut self) -> Option<&mut dyn Any> {
        None
    }

    /// A copy, for a copy of the column.
    fn copy(&self) -> Box<dyn RuleState<T>>;

    /// The reason why `entity`, or a new entity if it is `None`, cannot have the value. Called
    /// before anything changes.
    fn refuse(
        &self,
        _values: &Column<T>,
        _entities: &Entities,
        _entity: Option<Entity>,
        _value: &T,
    ) -> Option<Reason> {
        None
    }

    /// Replaces the ids in a value, of which `map` has another one. Called for the clone of a value
    /// before it is inserted. Returns whether it is inserted: not if another entity would lose its
    /// value.
    fn map_ids(&self, _value: &mut T, _map: &dyn Fn(Entity) -> Option<Entity>) -> bool {
        true
    }

    /// Removes from a value the targets that must be alive and for which `keep` is false. Returns
    /// whether the value remains: a relation without targets does not.
    fn retain_targets(&self, _value: &mut T, _keep: &dyn Fn(Entity) -> bool) -> bool {
        true
    }

    /// Removes from a value all targets for which `keep` is false, also those that need not be
    /// alive. Returns whether the value remains.
    fn keep_targets(&self, _value: &mut T, _keep: &dyn Fn(Entity) -> bool) -> bool {
        true
    }

    /// The first target of a value for which `is_wrong` is true; `None` for all but relations.
    fn find_target(&self, _value: &T, _is_wrong: &dyn Fn(Entity) -> bool) -> Option<Entity> {
        None
    }

    /// The entities that are despawned or lose a target when `target` is despawned.
    fn dependents(&self, _target: Entity) -> &[Entity] {
        &[]
    }

    /// Exchanges the value that an entity has for another one, or returns the reason why the entity
    /// cannot have it: one call in place of [`refuse`](Self::refuse), the replacement and
    /// [`inserted`](Self::inserted). `None`, and no change, if the rule wants these three, as all
    /// but hooks do.
    fn replace(&mut self, _entity: Entity, _held: &mut T, _value: &mut T) -> Option<Result<(), Reason>> {
        None
    }

    /// Called after an entity got a value, which replaced `old` if there is one.
    fn inserted(&mut self, _values: &mut Column<T>, context: ChangeContext<'_>, old: Option<&T>);

    /// Called after an entity lost its value. The entity is alive, or has just been despawned.
    fn removed(&mut self, _values: &mut Column<T>, context: ChangeContext<'_>, old: &T);

    /// Called after two entities have exchanged their values. Not called for a relation, nor for a
    /// unique component, of which only one entity has a value.
    fn exchanged(&mut self, _values: &mut Column<T>, _a: ChangeContext<'_>, _b: ChangeContext<'_>) {}

    /// Called after an entity was despawned, after [`removed`](Self::removed) if it had a value; for
    /// a relation also after a target that is alive has lost a component that targets have.
    /// Adds the effects on other entities to `effects`.
    fn despawned(
        &mut self,
        _values: &mut Column<T>,
        _context: ChangeContext<'_>,
        _effects: &mut DespawnEffects,
    ) {
    }

    /// Called before a single value is borrowed mutably, at `tick`. No earlier borrow is alive. A
    /// change is stamped with the tick before.
    fn lent(&mut self, _values: &mut Column<T>, _slot: u32, _tick: u64) {}

    /// Called if values may have been changed in place before `tick`. Changes that are made later
    /// have no earlier stamp.
    fn reindex_changed(&mut self, _values: &mut Column<T>, _tick: u64) {}

    /// Called after entities were moved to other slots, with their values in all columns. Changes
    /// their ids in the state and in the values, as far as the rule knows of ids.
    fn regrouped(&mut self, values: &mut Column<T>, context: ChangeContext<'_>, moved: &Regrouped);

    /// Called after all values were removed.
    fn clear(&mut self);

    /// Gives back memory that the state does not need.
    fn shrink(&mut self) {}

    /// The part of the state that does not follow from the values, to be saved: for some slots,
    /// other slots in an order.
    fn order(&self) -> Order {
        Order::new()
    }

    /// Called after the values were loaded from a file, without calls of `inserted`. Checks the
    /// values and takes them into the state. Every slot with a value has a live entity.
    ///
    /// # Errors
    /// The slot of a refused value, and the reason.
    fn load_values(
        &mut self,
        values: &mut Column<T>,
        context: ChangeContext<'_>,
    ) -> Result<(), (u32, String)> {
        for word in 0..values.words() {
            for bit in Bits(values.word(word)) {
                let entity = context.entities.at(word * 64 + bit);
                let Some(value) = values.get(entity.slot()) else { continue };
                if let Some(reason) = self.refuse(values, context.entities, Some(entity), value) {
                    return Err((entity.slot(), reason.to_string()));
                }
                self.inserted(values, ChangeContext { entity, ..context }, None);
            }
        }
        Ok(())
    }

    /// Checks values of entities that are about to be spawned against the values of the column.
    /// `newcomers` were checked against each other already.
    ///
    /// # Errors
    /// The slot of a refused value among `newcomers`, and the reason.
    fn admit(
        &self,
        values: &Column<T>,
        entities: &Entities,
        newcomers: &Column<T>,
    ) -> Result<(), (u32, String)> {
        for slot in newcomers.slots() {
            let reason = newcomers.get(slot).and_then(|value| self.refuse(values, entities, None, value));
            if let Some(reason) = reason {
                return Err((slot, reason.to_string()));
            }
        }
        Ok(())
    }

    /// Applies a saved order to the values in the state.
    ///
    /// # Errors
    /// The slot at which the order does not fit the values, and the reason.
    fn arrange(&mut self, _entities: &Entities, order: &Order) -> Result<(), (u32, String)> {
        match order.first() {
            Some(&(slot, _)) => Err((slot, "the component has no saved order".into())),
            None => Ok(()),
        }
    }
}

/// The effects of a despawn on other entities, which the world applies.
#[derive(Default)]
pub struct DespawnEffects {
    /// The entities that are despawned, too; the world despawns the last one first.
    pub(crate) despawned: Vec<Entity>,
    /// The entities that get a mark, each with the index of the relation in the world, in the order
    /// in which they are marked.
    pub(crate) marked: VecDeque<(usize, Entity)>,
}

/// For some slots, other slots in an order.
pub(crate) type Order = Vec<(u32, Vec<u32>)>;

/// The entity, world and tick of a change of a value.
#[derive(Clone, Copy)]
pub struct ChangeContext<'a> {
    /// The entity whose value changes.
    pub(crate) entity: Entity,
    /// The allocator of the world.
    pub(crate) entities: &'a Entities,
    /// The index of the component in the world.
    pub(crate) index: usize,
    /// The tick of the change.
    pub(crate) tick: u64,
}

impl ChangeContext<'_> {
    /// Adds a change of the entity to the world's journal, if it keeps one.
    #[inline(always)]
    pub(crate) fn record(&self, action: RecordedAction) {
        self.entities.record(action, self.entity, self.tick);
    }
}

impl<'a> ChangeContext<'a> {
    /// The context of a change of many values. `entity` is a placeholder, to be replaced for each
    /// value.
    pub(crate) fn of_many(entities: &'a Entities, index: usize) -> Self {
        let entity = Entity::from_parts(0, core::num::NonZeroU32::MIN);
        Self { entity, entities, index, tick: entities.tick() }
    }
}
