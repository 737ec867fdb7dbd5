//! What a column with a rule knows about its values, and what it is told of their changes.
//!
//! This is the port through which everything above storage that keeps something in step with the values of a column, as indexes,
//! unique components and relations, hears of changes: a [`RuleState`] is kept in the column beside the values, from its first value
//! on, and every way by which values come and go tells it.
//!
//! Nothing relies on a rule state for soundness: it is told by traits that users implement.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
#[cfg(feature = "serde")]
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::any::Any;

use super::column::Column;
#[cfg(feature = "serde")]
use crate::base::mask::Bits;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::error::Reason;

/// What a rule remembers about the values of a column.
///
/// While one of these is called it is not in the column.
pub trait RuleState<T>: Send + Sync {
    /// To find it by its type.
    fn as_any(&self) -> &dyn Any;

    /// The same, to change it by verbs of its own; none for one that has none.
    fn as_any_mut(&mut self) -> Option<&mut dyn Any> {
        None
    }

    /// A copy, for a copy of the column.
    fn copy(&self) -> Box<dyn RuleState<T>>;

    /// Why `entity`, or a new one if there is none, cannot have the value. Asked before anything changes.
    fn refuse(
        &self,
        values: &Column<T>,
        entities: &Entities,
        entity: Option<Entity>,
        value: &T,
    ) -> Option<Reason> {
        let _ = (values, entities, entity, value);
        None
    }

    /// An entity has got a value, in place of an old one if it had one.
    fn inserted(&mut self, values: &mut Column<T>, context: ChangeContext<'_>, old: Option<&T>);

    /// An entity has lost its value; it may live or have just died.
    fn removed(&mut self, values: &mut Column<T>, context: ChangeContext<'_>, old: &T);

    /// Called when an entity has just died, after [`removed`](Self::removed) if it had a value. Adds the effects on other
    /// entities to `effects`.
    fn died(&mut self, values: &mut Column<T>, context: ChangeContext<'_>, effects: &mut DespawnEffects) {
        let _ = (values, context, effects);
    }

    /// Values may have been changed in place, all of it before `tick`; what is changed later has no earlier stamp.
    fn reindex_changed(&mut self, values: &mut Column<T>, tick: u64) {
        let _ = (values, tick);
    }

    /// All values have gone.
    fn clear(&mut self);

    /// What it remembers that the values do not tell, to be saved: for some slots, other slots in an order.
    #[cfg(feature = "serde")]
    fn order(&self) -> Order {
        Order::new()
    }

    /// The values have come from a file, and it was told of none of them: looks whether they may be there, and remembers
    /// them. Every slot that has a value lives. An error names the slot.
    #[cfg(feature = "serde")]
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

    /// Why values that get on with each other cannot come here: their entities are about to be. An error names the slot.
    #[cfg(feature = "serde")]
    fn admit(
        &self,
        values: &Column<T>,
        entities: &Entities,
        newcomers: &Column<T>,
    ) -> Result<(), (u32, String)> {
        for word in 0..newcomers.words() {
            for bit in Bits(newcomers.word(word)) {
                let slot = (word * 64 + bit) as u32;
                let reason = newcomers.get(slot).and_then(|value| self.refuse(values, entities, None, value));
                if let Some(reason) = reason {
                    return Err((slot, reason.to_string()));
                }
            }
        }
        Ok(())
    }

    /// Takes on an order that was saved, of what it remembers already. An error names the slot.
    #[cfg(feature = "serde")]
    fn arrange(&mut self, entities: &Entities, order: &Order) -> Result<(), (u32, String)> {
        let _ = entities;
        match order.first() {
            Some(&(slot, _)) => Err((slot, "it has no order".into())),
            None => Ok(()),
        }
    }
}

/// The effects of an entity's death on other entities, which the world applies.
#[derive(Default)]
pub struct DespawnEffects {
    /// The entities that die with it; the world despawns the last one first.
    pub(crate) despawned: Vec<Entity>,
    /// The entities that get a mark, each with the index of the relation in the world, in the order in which they are marked.
    pub(crate) marked: VecDeque<(usize, Entity)>,
}

/// For some slots, other slots in an order.
#[cfg(feature = "serde")]
pub(crate) type Order = Vec<(u32, Vec<u32>)>;

/// Where something happens to a value.
#[derive(Clone, Copy)]
pub struct ChangeContext<'a> {
    /// To whom.
    pub(crate) entity: Entity,
    /// Who is alive.
    pub(crate) entities: &'a Entities,
    /// The component's place in the world's list.
    pub(crate) index: usize,
    /// When.
    pub(crate) tick: u64,
}

#[cfg(feature = "serde")]
impl<'a> ChangeContext<'a> {
    /// Where values of a file are: with each of them comes its entity.
    pub(crate) fn of_file(entities: &'a Entities, index: usize) -> Self {
        let entity = Entity::new(0, core::num::NonZeroU32::MIN);
        Self { entity, entities, index, tick: entities.tick() }
    }
}
