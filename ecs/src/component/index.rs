//! Indexed components: the entities by the value.
//!
//! The rule state of an indexed column knows for each slot the hash of its value. Values come and go through it; what
//! is changed in place is changed through [`Mut`](crate::Mut), which leaves a stamp: who looks something up looks, beside the
//! slots of its hash, at those that were changed since the rule state has looked at them itself. It does so whenever a
//! value is inserted, and before and after systems run. What it finds is compared with what is looked for, so that a
//! `Hash` or `Eq` that lies makes wrong answers, and nothing worse.

use alloc::boxed::Box;
use alloc::vec::{self, Vec};
use core::any::Any;
use core::hash::Hash;
use core::marker::PhantomData;

use super::rule::ComponentRule;
use crate::base::mask::Bits;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::error::Reason;
use crate::storage::by_hash::{ByHash, hash};
use crate::storage::column::Column;
use crate::storage::rule_state::{ChangeContext, RuleState};

/// A component by whose value entities are found: derived, with `#[component(index)]` or `#[component(key)]`.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component, PartialEq, Eq, Hash)]
/// #[component(index)]                        // by the whole value; several entities may have equal ones
/// struct Cell { x: i32, y: i32 }
///
/// #[derive(Component)]
/// #[component(key = number)]                 // by one field; no two entities have an equal one
/// struct Ticket { number: u32, price: f32 }
///
/// world! { struct Game { components { Cell, Ticket } } }
///
/// let mut game = Game::new();
/// let a = game.spawn((Cell { x: 1, y: 2 }, Ticket { number: 7, price: 9.5 }));
/// let b = game.spawn(Cell { x: 0, y: 0 });
/// game.get_tracked::<Cell>(b).unwrap().x = 1;
/// game.get_tracked::<Cell>(b).unwrap().y = 2;
/// assert_eq!(game.find::<Cell>(&Cell { x: 1, y: 2 }).collect::<Vec<_>>(), [a, b]);
/// assert_eq!(game.columns().ticket.find_one(&7), Some(a));
/// assert!(game.try_spawn(Ticket { number: 7, price: 0.0 }).is_err());
/// ```
///
/// An indexed component is tracked: it is changed through [`Mut`](crate::Mut). The value of a key is not changed in place at
/// all, but replaced, by `insert`. Interior mutability is not seen.
///
/// Cost: inserting and removing update a table, which takes a tenth of a microsecond where there are a hundred thousand
/// values and a quarter where there are a million; looking up takes as much or twice as much, where a scan of a million
/// takes two thousand. In addition a lookup goes through what was changed by `Mut` since a stage of a schedule last ended
/// or began: some fifty microseconds for a thousand changes all over a million values.
#[diagnostic::on_unimplemented(
    message = "component `{Self}` has no index: write `#[component(index)]` on it, or `key` if no two entities have the same value",
    label = "`{Self}` has no index",
    note = "without one, go through all of them: `query::<(Entity, &{Self})>()`"
)]
pub trait Indexed: Sized + 'static {
    /// What entities are found by: the component itself, or one of its fields.
    type Key: IndexKey + ?Sized;
    /// Whether no two entities have equal ones.
    #[doc(hidden)]
    const IS_KEY: bool;
    /// What this value is found by.
    fn key(&self) -> &Self::Key;
}

/// What values are found by: whatever is `Hash` and `Eq`.
#[diagnostic::on_unimplemented(
    message = "entities are to be found by a `{Self}`, which is not `Hash` and `Eq`",
    label = "not `Hash` and `Eq`",
    note = "add `#[derive(PartialEq, Eq, Hash)]` to `{Self}`, or name a field that is: `#[component(index = field)]`"
)]
pub trait IndexKey {
    #[doc(hidden)]
    fn hashed(&self) -> u32;
    #[doc(hidden)]
    fn equals(&self, other: &Self) -> bool;
}
#[diagnostic::do_not_recommend]
impl<K: Hash + Eq + ?Sized> IndexKey for K {
    #[inline]
    fn hashed(&self) -> u32 {
        hash(self)
    }
    #[inline]
    fn equals(&self, other: &Self) -> bool {
        self == other
    }
}

/// The rule of `#[component(index)]` and of `#[component(key)]`.
pub struct IndexRule<T>(PhantomData<fn() -> T>);

impl<T: Indexed> ComponentRule for IndexRule<T> {
    type Of = T;
    const REFUSES: bool = T::IS_KEY;
    fn rule_state() -> Box<dyn RuleState<T>> {
        Box::new(Index::<T>::new())
    }
}

/// The slots of a column by value.
struct Index<T> {
    slots: ByHash,
    /// Every change up to this tick was looked at.
    seen: u64,
    /// Slots whose values were changed and are to be hashed.
    waiting: Vec<u32>,
    /// Slots whose values could not be hashed, since that has panicked.
    odd: Vec<u32>,
    of: PhantomData<fn() -> T>,
}

impl<T: Indexed> Index<T> {
    const fn new() -> Self {
        let slots = ByHash::new();
        Self { slots, seen: 0, waiting: Vec::new(), odd: Vec::new(), of: PhantomData }
    }

    /// Calls `f` with each slot of an entity that lives and whose key equals `key`; with some perhaps more than once.
    fn each<Q: IndexKey + ?Sized>(
        &self,
        values: &Column<T>,
        entities: &Entities,
        key: &Q,
        as_asked: impl Fn(&T::Key) -> &Q,
        mut f: impl FnMut(u32),
    ) {
        let mut look = |slot: u32| {
            let lives =
                entities.alive().get(slot as usize / 64).is_some_and(|word| word >> (slot % 64) & 1 == 1);
            if lives && values.get(slot).is_some_and(|value| as_asked(value.key()).equals(key)) {
                f(slot);
            }
        };
        self.slots.slots(key.hashed()).for_each(&mut look);
        self.waiting.iter().chain(&self.odd).copied().for_each(&mut look);
        changed_since(values, self.seen, look);
    }

    /// Looks at what was changed up to now, which is before `tick`.
    fn reindex_changed(&mut self, values: &Column<T>, tick: u64) {
        let before = tick.saturating_sub(1);
        if self.seen < before {
            let Self { waiting, seen, .. } = self;
            changed_since(values, *seen, |slot| waiting.push(slot));
            *seen = before;
        }
        while let Some(slot) = self.waiting.pop() {
            self.look_at(values, slot);
        }
    }

    /// Hashes the value of a slot. If that panics the slot counts as one that has to be looked at every time.
    fn look_at(&mut self, values: &Column<T>, slot: u32) {
        let Some(value) = values.get(slot) else { return };
        self.odd.push(slot);
        let hash = value.key().hashed();
        self.odd.pop();
        self.slots.insert(slot, hash);
    }

    /// Forgets a slot.
    fn forget(&mut self, slot: u32) {
        self.slots.remove(slot);
        if !self.odd.is_empty() {
            self.odd.retain(|&odd| odd != slot);
        }
    }
}

/// Calls `f` with each slot that was changed, in place, after `tick`.
fn changed_since<T>(values: &Column<T>, tick: u64, mut f: impl FnMut(u32)) {
    let Some(stamps) = values.stamps() else { return };
    let mut word = stamps.next_since(0, tick);
    while let Some(slots) = values.mask(word) {
        for bit in Bits(stamps.changed_since(word, tick) & slots) {
            f((word * 64 + bit) as u32);
        }
        word = stamps.next_since(word + 1, tick);
    }
}

impl<T: Indexed> RuleState<T> for Index<T> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn copy(&self) -> Box<dyn RuleState<T>> {
        let Self { slots, seen, waiting, odd, of } = self;
        let (slots, waiting, odd) = (slots.clone(), waiting.clone(), odd.clone());
        Box::new(Self { slots, seen: *seen, waiting, odd, of: *of })
    }

    fn refuse(
        &self,
        values: &Column<T>,
        entities: &Entities,
        entity: Option<Entity>,
        value: &T,
    ) -> Option<Reason> {
        let (slot, mut other) = (entity.map(Entity::slot), None);
        if T::IS_KEY {
            self.each(
                values,
                entities,
                value.key(),
                |key| key,
                |found| {
                    if Some(found) != slot {
                        other = Some(found);
                    }
                },
            );
        }
        other.map(|slot| Reason::Duplicate(entities.at(slot as usize)))
    }

    fn inserted(&mut self, values: &mut Column<T>, context: ChangeContext<'_>, _: Option<&T>) {
        let slot = context.entity.slot();
        self.forget(slot);
        self.look_at(values, slot);
        self.reindex_changed(values, context.tick);
    }

    // Nothing is hashed here: that may panic, and values are removed while a panic is on its way, too.
    fn removed(&mut self, _: &mut Column<T>, context: ChangeContext<'_>, _: &T) {
        self.forget(context.entity.slot());
    }

    fn reindex_changed(&mut self, values: &mut Column<T>, tick: u64) {
        Self::reindex_changed(self, values, tick);
    }

    fn clear(&mut self) {
        self.slots.clear();
        self.waiting.clear();
        self.odd.clear();
    }
}

/// The entities that an index has found, in the order of their slots.
#[derive(Clone, Debug)]
pub struct Found<'w> {
    entities: &'w Entities,
    slots: vec::IntoIter<u32>,
}

impl Iterator for Found<'_> {
    type Item = Entity;

    fn next(&mut self) -> Option<Entity> {
        self.slots.next().map(|slot| self.entities.at(slot as usize))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }
}

impl DoubleEndedIterator for Found<'_> {
    fn next_back(&mut self) -> Option<Entity> {
        self.slots.next_back().map(|slot| self.entities.at(slot as usize))
    }
}

impl ExactSizeIterator for Found<'_> {}

/// The entities whose key, as `as_asked` gives it, equals `key`.
pub(crate) fn find<'w, T: Indexed, Q: IndexKey + ?Sized>(
    values: &Column<T>,
    entities: &'w Entities,
    key: &Q,
    as_asked: impl Fn(&T::Key) -> &Q,
) -> Found<'w> {
    let mut slots = Vec::new();
    if let Some(index) = values.rule_state::<Index<T>>() {
        index.each(values, entities, key, as_asked, |slot| slots.push(slot));
    }
    slots.sort_unstable();
    slots.dedup();
    Found { entities, slots: slots.into_iter() }
}

/// The first of them, in the order of the slots.
pub(crate) fn find_one<T: Indexed, Q: IndexKey + ?Sized>(
    values: &Column<T>,
    entities: &Entities,
    key: &Q,
    as_asked: impl Fn(&T::Key) -> &Q,
) -> Option<Entity> {
    let mut first: Option<u32> = None;
    if let Some(index) = values.rule_state::<Index<T>>() {
        let mut note = |slot| first = Some(first.map_or(slot, |first| first.min(slot)));
        index.each(values, entities, key, as_asked, &mut note);
    }
    first.map(|slot| entities.at(slot as usize))
}
