//! Indexed components: finding entities by the value of a component.
//!
//! An index has a form: a hash table, which this file has, or an order, which
//! [`ordered`](super::ordered) has. The form says with what values an index is searched, by the trait [`IndexForm`].
//!
//! The rule state of a column with a hash index is a table with the slot of each value. Insertions
//! and removals update it. Changes in place go through [`Mut`](crate::Mut), which stamps them. A lookup
//! visits the slots with the hash of the key, and in addition the slots that are stamped since the
//! last update of the table. The table is updated with stamped slots whenever a value is inserted,
//! when a value or a query is borrowed mutably outside of systems, before and after systems run,
//! and after each system that may change such values. A single value that is borrowed mutably
//! outside of systems enters the table when the next one is borrowed, and lookups visit it until
//! then. A lookup compares each value that it visits with the key, so that a wrong `Hash` or `Eq`
//! gives wrong results, but no undefined behaviour.

use alloc::boxed::Box;
use alloc::vec::{self, Vec};
use core::any::Any;
use core::borrow::Borrow;
use core::hash::Hash;
use core::marker::PhantomData;

use super::groups;
use super::rule::{ComponentRule, rule_state_of};
use crate::base::mask::{Bits, has_bit};
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::regrouped::Regrouped;
use crate::error::Reason;
use crate::storage::by_hash::{ByHash, hash};
use crate::storage::column::Column;
use crate::storage::kind::RuleSet;
use crate::storage::rule_state::{ChangeContext, RuleState};

/// A component with an index, which finds entities by the value. Implemented with
/// `#[component(index)]` or `#[component(key)]`.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component, PartialEq, Eq, Hash)]
/// #[component(index)]                        // by the whole value; several entities may have equal values
/// struct Cell { x: i32, y: i32 }
///
/// #[derive(Component)]
/// #[component(key = number)]                 // by one field; no two entities have equal numbers
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
/// A component with `index` is tracked, and is changed in place through [`Mut`](crate::Mut). A
/// component with `key` is never changed in place: `insert` replaces it. The index does not see
/// changes by interior mutability.
///
/// # Cost
/// An insertion, a removal and a lookup are each constant: about one access to a hash table, which
/// misses the cache if there are many values. In addition, a lookup outside of systems visits the
/// values that the last `query_mut` has changed. In a system it visits none, unless the system
/// itself has changed them by `Storage::iter_mut`.
#[diagnostic::on_unimplemented(
    message = "component `{Self}` has no index: write `#[component(index)]` on it, or `key` if no two entities have the same value",
    label = "`{Self}` has no index",
    note = "without an index, search through all values: `query::<(Entity, &{Self})>()`"
)]
pub trait Indexed: Sized + 'static {
    /// The type of the key: the component itself, one of its fields, or the type after `by`.
    type Key: ?Sized;
    /// The form of the index.
    #[doc(hidden)]
    type Form: IndexForm<Self::Key>;
    /// Whether no two entities may have equal keys.
    #[doc(hidden)]
    const IS_KEY: bool;
    /// The key of this value.
    fn key(&self) -> impl Borrow<Self::Key>;
}

/// The form of an index: it is searched with keys of type `Q`.
#[doc(hidden)]
pub trait IndexForm<Q: ?Sized>: 'static {
    /// Calls `found` with the slot of each living entity whose key equals `key`. It may call
    /// `found` more than once with a slot. `borrow` converts a stored key into the type of `key`.
    fn each<T: Indexed<Form = Self>>(
        values: &Column<T>,
        entities: &Entities,
        key: &Q,
        borrow: impl Fn(&T::Key) -> &Q,
        found: impl FnMut(u32),
    );
    /// The slots with living entities by equal keys: each group in the order of its slots. A hash
    /// table gives the groups in the order of their first slots, an order in that of the keys.
    fn groups<T: Indexed<Form = Self, Key = Q>>(values: &Column<T>, entities: &Entities) -> Vec<Vec<u32>>;
    /// The rule state of a column of `C` without values; `None` if `C` is not `T`.
    fn rule_state<T: Indexed<Form = Self, Key = Q>, C: 'static>() -> Option<Box<dyn RuleState<C>>>;
}

/// The form of an index that is a hash table.
#[doc(hidden)]
pub struct HashIndex;

impl<Q: IndexKey + ?Sized> IndexForm<Q> for HashIndex {
    fn each<T: Indexed<Form = Self>>(
        values: &Column<T>,
        entities: &Entities,
        key: &Q,
        borrow: impl Fn(&T::Key) -> &Q,
        found: impl FnMut(u32),
    ) {
        if let Some(index) = values.rule_state::<Index<T>>() {
            index.each(values, entities, key, borrow, found);
        }
    }

    fn groups<T: Indexed<Form = Self, Key = Q>>(values: &Column<T>, entities: &Entities) -> Vec<Vec<u32>> {
        groups::by_hash(values, entities)
    }

    fn rule_state<T: Indexed<Form = Self, Key = Q>, C: 'static>() -> Option<Box<dyn RuleState<C>>> {
        rule_state_of::<T, C>(Index::<T>::new())
    }
}

/// A key of an index. Implemented for every type that is `Hash` and `Eq`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is the key of an index, and is not `Hash` and `Eq`",
    label = "not `Hash` and `Eq`",
    note = "add `#[derive(PartialEq, Eq, Hash)]` to `{Self}`, or use a field that is `Hash` and `Eq`: `#[component(index = field)]`; floats are neither: index an integer, such as the bits"
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

/// A reference by which entities are found in an index with keys of type `K`: `&K`, or a reference
/// to a borrowed form of it, as `&str` is of `String`.
///
/// Implemented for every `&Q` with `K: Borrow<Q>`. `Q` must have the same `Hash` and `Eq` as the
/// key, as [`Borrow`] demands; otherwise values are not found.
#[diagnostic::on_unimplemented(
    message = "an index with keys of type `{K}` is not searched with `{Self}`",
    label = "expected a reference to `{K}`",
    note = "`find` takes a reference to the key, such as `find::<Team>(&Team(1))`, or to a borrowed form of it, such as `find::<Name>(\"bob\")`"
)]
pub trait LookupKey<K: ?Sized, F> {
    #[doc(hidden)]
    fn find<'w, T: Indexed<Key = K, Form = F>>(
        &self,
        values: &Column<T>,
        entities: &'w Entities,
    ) -> FoundEntities<'w>;
    #[doc(hidden)]
    fn find_one<T: Indexed<Key = K, Form = F>>(
        &self,
        values: &Column<T>,
        entities: &Entities,
    ) -> Option<Entity>;
}

#[diagnostic::do_not_recommend]
impl<K: Borrow<Q> + ?Sized, Q: ?Sized, F: IndexForm<Q>> LookupKey<K, F> for &Q {
    #[inline]
    fn find<'w, T: Indexed<Key = K, Form = F>>(
        &self,
        values: &Column<T>,
        entities: &'w Entities,
    ) -> FoundEntities<'w> {
        find(values, entities, *self)
    }
    #[inline]
    fn find_one<T: Indexed<Key = K, Form = F>>(
        &self,
        values: &Column<T>,
        entities: &Entities,
    ) -> Option<Entity> {
        find_one(values, entities, *self)
    }
}

/// The rule of `#[component(index)]` and of `#[component(key)]`.
pub struct IndexRule<T>(PhantomData<fn() -> T>);

impl<T: Indexed> ComponentRule for IndexRule<T> {
    const REFUSES: bool = T::IS_KEY;
    const RULES: RuleSet = RuleSet { index: !T::IS_KEY, key: T::IS_KEY, ..RuleSet::NONE };
    fn rule_state<C: 'static>() -> Option<Box<dyn RuleState<C>>> {
        T::Form::rule_state::<T, C>()
    }
}

/// The rule state of a column with a hash index: its slots by the hash of the key.
struct Index<T> {
    slots: ByHash,
    /// The tick up to which changes in place are in `slots` or `pending`.
    seen: u64,
    /// Slots with changed values that are not hashed yet.
    pending: Vec<u32>,
    /// Slots whose values are not in `slots`, since their `Hash` has panicked. Every lookup visits
    /// them.
    unhashed: Vec<u32>,
    of: PhantomData<fn() -> T>,
}

impl<T: Indexed> Index<T> {
    /// Calls `f` with the slot of each living entity whose key equals `key`. It may call `f` more
    /// than once with a slot.
    fn each<Q: IndexKey + ?Sized>(
        &self,
        values: &Column<T>,
        entities: &Entities,
        key: &Q,
        borrow: impl Fn(&T::Key) -> &Q,
        mut f: impl FnMut(u32),
    ) {
        let mut visit = |slot: u32| {
            if is_alive(entities, slot)
                && values.get(slot).is_some_and(|value| borrow(value.key().borrow()).equals(key))
            {
                f(slot);
            }
        };
        self.slots.slots(key.hashed()).for_each(&mut visit);
        self.pending.iter().chain(&self.unhashed).copied().for_each(&mut visit);
        changed_since(values, self.seen, visit);
    }
}

impl<T: Indexed<Form = HashIndex, Key: IndexKey>> Index<T> {
    const fn new() -> Self {
        let slots = ByHash::new();
        Self { slots, seen: 0, pending: Vec::new(), unhashed: Vec::new(), of: PhantomData }
    }

    /// Hashes the values that were changed in place before `tick`.
    fn reindex_changed(&mut self, values: &Column<T>, tick: u64) {
        let before = tick.saturating_sub(1);
        if self.seen < before {
            let Self { pending, seen, .. } = self;
            changed_since(values, *seen, |slot| pending.push(slot));
            *seen = before;
        }
        while let Some(slot) = self.pending.pop() {
            self.add(values, slot);
        }
    }

    /// Adds a slot with the hash of its value. If `Hash` panics, the slot stays in `unhashed`.
    fn add(&mut self, values: &Column<T>, slot: u32) {
        let Some(value) = values.get(slot) else { return };
        self.unhashed.push(slot);
        let hash = value.key().borrow().hashed();
        self.unhashed.pop();
        self.slots.insert(slot, hash);
    }

    /// Removes a slot.
    fn remove(&mut self, slot: u32) {
        self.slots.remove(slot);
        if !self.unhashed.is_empty() {
            self.unhashed.retain(|&unhashed| unhashed != slot);
        }
    }
}

/// Whether a slot has a live entity. A column that was exchanged with that of another world may
/// have values in other slots.
pub(super) fn is_alive(entities: &Entities, slot: u32) -> bool {
    has_bit(entities.alive(), slot as usize)
}

/// Calls `f` with each slot whose value was changed after `tick`.
pub(super) fn changed_since<T>(values: &Column<T>, tick: u64, mut f: impl FnMut(u32)) {
    let Some(stamps) = values.stamps() else { return };
    let mut word = stamps.next_since(0, tick);
    while let Some(slots) = values.mask(word) {
        for bit in Bits(stamps.changed_since(word, tick) & slots) {
            f((word * 64 + bit) as u32);
        }
        word = stamps.next_since(word + 1, tick);
    }
}

impl<T: Indexed<Form = HashIndex, Key: IndexKey>> RuleState<T> for Index<T> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn shrink(&mut self) {
        self.slots.shrink();
        self.pending.shrink_to_fit();
        self.unhashed.shrink_to_fit();
    }

    fn copy(&self) -> Box<dyn RuleState<T>> {
        let Self { slots, seen, pending, unhashed, of } = self;
        let (slots, pending, unhashed) = (slots.clone(), pending.clone(), unhashed.clone());
        Box::new(Self { slots, seen: *seen, pending, unhashed, of: *of })
    }

    fn refuse(
        &self,
        values: &Column<T>,
        entities: &Entities,
        entity: Option<Entity>,
        value: &T,
    ) -> Option<Reason> {
        refuse_equal::<T>(entities, entity, |found| {
            self.each(values, entities, value.key().borrow(), |key| key, found);
        })
    }

    fn inserted(&mut self, values: &mut Column<T>, context: ChangeContext<'_>, _: Option<&T>) {
        let slot = context.entity.slot();
        self.remove(slot);
        self.add(values, slot);
        self.reindex_changed(values, context.tick);
    }

    // Hashes nothing, since `Hash` may panic, and values are also removed during unwinding.
    fn removed(&mut self, _: &mut Column<T>, context: ChangeContext<'_>, _: &T) {
        self.remove(context.entity.slot());
    }

    // Both slots are found by every lookup before the first value is hashed, since `Hash` may
    // panic.
    fn exchanged(&mut self, values: &mut Column<T>, a: ChangeContext<'_>, b: ChangeContext<'_>) {
        for slot in [a.entity.slot(), b.entity.slot()] {
            self.remove(slot);
            self.pending.push(slot);
        }
        Self::reindex_changed(self, values, a.tick);
    }

    fn lent(&mut self, values: &mut Column<T>, slot: u32, tick: u64) {
        Self::reindex_changed(self, values, tick);
        self.pending.push(slot);
    }

    fn reindex_changed(&mut self, values: &mut Column<T>, tick: u64) {
        Self::reindex_changed(self, values, tick);
    }

    // Hashes nothing: values keep their hashes, and changes that are not in the table yet keep
    // their stamps.
    fn regrouped(&mut self, _: &mut Column<T>, _: ChangeContext<'_>, moved: &Regrouped) {
        let known = moved.iter().filter_map(|(from, to)| Some((to.slot(), self.slots.hash_of(from.slot())?)));
        let known: Vec<(u32, u32)> = known.collect();
        moved.iter().for_each(|(from, _)| self.slots.remove(from.slot()));
        known.into_iter().for_each(|(slot, hash)| self.slots.insert(slot, hash));
        for slot in self.pending.iter_mut().chain(&mut self.unhashed) {
            *slot = moved.current_slot(*slot);
        }
    }

    fn clear(&mut self) {
        self.slots.clear();
        self.pending.clear();
        self.unhashed.clear();
        self.seen = 0; // a restore that has panicked leaves the world with an earlier tick
    }
}

/// Iterator over the entities that an index has found, in the order of their slots.
#[derive(Clone, Debug)]
pub struct FoundEntities<'w> {
    entities: &'w Entities,
    slots: vec::IntoIter<u32>,
}

impl Iterator for FoundEntities<'_> {
    type Item = Entity;

    fn next(&mut self) -> Option<Entity> {
        self.slots.next().map(|slot| self.entities.at(slot as usize))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.slots.size_hint()
    }
}

impl DoubleEndedIterator for FoundEntities<'_> {
    fn next_back(&mut self) -> Option<Entity> {
        self.slots.next_back().map(|slot| self.entities.at(slot as usize))
    }
}

impl ExactSizeIterator for FoundEntities<'_> {}

impl<'w> FoundEntities<'w> {
    /// The entities in these slots, each of them once and in the order of the slots.
    pub(super) fn new(entities: &'w Entities, mut slots: Vec<u32>) -> Self {
        slots.sort_unstable();
        slots.dedup();
        Self { entities, slots: slots.into_iter() }
    }
}

/// The entities whose key equals `key`, in the order of their slots.
pub(crate) fn find<'w, T: Indexed<Form: IndexForm<Q>, Key: Borrow<Q>>, Q: ?Sized>(
    values: &Column<T>,
    entities: &'w Entities,
    key: &Q,
) -> FoundEntities<'w> {
    let mut slots = Vec::new();
    T::Form::each(values, entities, key, T::Key::borrow, |slot| slots.push(slot));
    FoundEntities::new(entities, slots)
}

/// The first entity, in the order of the slots, whose key equals `key`.
pub(crate) fn find_one<T: Indexed<Form: IndexForm<Q>, Key: Borrow<Q>>, Q: ?Sized>(
    values: &Column<T>,
    entities: &Entities,
    key: &Q,
) -> Option<Entity> {
    let mut first: Option<u32> = None;
    let note = |slot| first = Some(first.map_or(slot, |first| first.min(slot)));
    T::Form::each(values, entities, key, T::Key::borrow, note);
    first.map(|slot| entities.at(slot as usize))
}

/// The reason why an entity cannot have a value, if `T` is a key: another entity has an equal one.
/// `each` calls a function with the slots that have equal values. The state of the rule is not in
/// the column while values are loaded, so that `each` does not look for it there.
pub(super) fn refuse_equal<T: Indexed>(
    entities: &Entities,
    entity: Option<Entity>,
    each: impl FnOnce(&mut dyn FnMut(u32)),
) -> Option<Reason> {
    let (slot, mut other) = (entity.map(Entity::slot), None);
    if T::IS_KEY {
        each(&mut |found| other = if Some(found) == slot { other } else { Some(found) });
    }
    other.map(|slot| Reason::Duplicate(entities.at(slot as usize)))
}
