//! Ordered indexes: the entities of a component in the order of its values.
//!
//! The rule state of a column with an ordered index has the slots in order, as
//! [`OrderedSlots`]. It hears of changes as the [hash index](super::index) does, and takes them up
//! at the same moments. While values that were changed in place are not taken up yet, a lookup
//! makes a copy, which shares what did not change, and takes them up there. What a component
//! instantiates compares the values of two slots; all else is compiled once.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::any::Any;
use core::borrow::Borrow;
use core::cmp::Ordering;
use core::iter::FusedIterator;
use core::ops::{Bound, RangeBounds};

use super::index::{IndexForm, Indexed, changed_since, is_alive, refuse_equal};
use super::rule::rule_state_of;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::regrouped::Regrouped;
use crate::error::Reason;
use crate::storage::column::Column;
use crate::storage::ordered_slots::{OrderedSlots, Position, SlotOrder};
use crate::storage::rule_state::{ChangeContext, RuleState};

/// A component with an ordered index, which also finds the entities with values in a range, in
/// ascending order. Implemented with `#[component(index(ordered))]` or
/// `#[component(key(ordered))]`.
///
/// ```
/// use ecs::prelude::*;
///
/// #[derive(Component, PartialEq, Eq, PartialOrd, Ord, Debug)]
/// #[component(index(ordered))]               // by the whole value
/// struct Score(u32);
///
/// #[derive(Component)]
/// #[component(index(ordered = due))]         // by one field
/// struct Timer { due: u64, sound: &'static str }
///
/// world! { struct Game { components { Score, Timer } } }
///
/// let mut game = Game::new();
/// let [a, b, c] = [30, 10, 20].map(|points| game.spawn(Score(points)));
/// assert_eq!(game.find_range::<Score>(..).collect::<Vec<_>>(), [b, c, a]);
/// assert_eq!(game.find_range::<Score>(Score(10)..=Score(20)).collect::<Vec<_>>(), [b, c]);
/// assert_eq!(game.find_last::<Score>(), Some((a, &Score(30))));
///
/// let top: Vec<Entity> = game.find_range::<Score>(..).rev().take(2).collect();
/// assert_eq!(top, [a, c]);
///
/// let bell = game.spawn(Timer { due: 7, sound: "bell" });
/// assert_eq!(game.find_range::<Timer>(..=10).next(), Some(bell));
/// ```
///
/// Entities with equal values are in the order of their slots, so that the order does not depend on
/// the number of threads, nor on earlier values.
///
/// # Cost
/// An insertion and a search compare a logarithmic number of values, each of which may miss the
/// cache. A removal and a step of the iterator are constant, and `len` and `nth` of a range add up
/// one number for each 512 values. A lookup after values were changed in place, which a schedule or
/// a mutable borrow has not taken up yet, copies one number for each 256 values, and puts the
/// changed values in order.
#[diagnostic::on_unimplemented(
    message = "component `{Self}` has no ordered index: write `#[component(index(ordered))]` on it",
    label = "`{Self}` has no ordered index",
    note = "`index` alone is a hash table, which finds equal values; `index(ordered)` finds equal values, too"
)]
pub trait Ordered: Indexed<Form = OrderedIndex> {}

/// A key of an ordered index. Implemented for every type that is `Ord`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is the key of an ordered index, and is not `Ord`",
    label = "not `Ord`",
    note = "add `#[derive(PartialEq, Eq, PartialOrd, Ord)]` to `{Self}`, or use a field that is `Ord`: `#[component(index(ordered = field))]`; floats are not: compare them with `total_cmp` in a type of your own"
)]
pub trait OrderedKey {
    #[doc(hidden)]
    fn compare(&self, other: &Self) -> Ordering;
}
#[diagnostic::do_not_recommend]
impl<K: Ord + ?Sized> OrderedKey for K {
    #[inline]
    fn compare(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }
}

/// The form of an index that has an order.
#[doc(hidden)]
pub struct OrderedIndex;

impl<Q: OrderedKey + ?Sized> IndexForm<Q> for OrderedIndex {
    fn each<T: Indexed<Form = Self>>(
        values: &Column<T>,
        entities: &Entities,
        key: &Q,
        borrow: impl Fn(&T::Key) -> &Q,
        mut found: impl FnMut(u32),
    ) {
        if let Some(state) = values.rule_state::<OrderState<T>>() {
            let compare = |value: &T| borrow(value.key().borrow()).compare(key);
            state.each(values, entities, &compare, &mut found);
        }
    }

    fn groups<T: Indexed<Form = Self, Key = Q>>(values: &Column<T>, entities: &Entities) -> Vec<Vec<u32>> {
        let Some(state) = values.rule_state::<OrderState<T>>() else { return Vec::new() };
        let (slots, mut at, mut groups) =
            (state.current(values), Position::default(), Vec::<Vec<u32>>::new());
        while let Some(slot) = slots.get(at) {
            at = slots.later(at, 1);
            let Some(value) = values.get(slot).filter(|_| is_alive(entities, slot)) else { continue };
            let is_equal = |group: &&mut Vec<u32>| {
                let other = group.first().and_then(|&other| values.get(other));
                other.is_some_and(|other| (state.compare)(other, value.key().borrow()) == Ordering::Equal)
            };
            match groups.last_mut().filter(is_equal) {
                Some(group) => group.push(slot),
                None => groups.push(alloc::vec![slot]),
            }
        }
        groups
    }

    fn rule_state<T: Indexed<Form = Self, Key = Q>, C: 'static>() -> Option<Box<dyn RuleState<C>>> {
        let compare = |value: &T, key: &Q| value.key().borrow().compare(key);
        rule_state_of::<T, C>(OrderState { slots: OrderedSlots::default(), seen: 0, compare })
    }
}

/// The rule state of a column with an ordered index.
struct OrderState<T: Indexed> {
    slots: OrderedSlots,
    /// The tick up to which slots with changes in place are loose, or in the order.
    seen: u64,
    /// Compares the key of a value with another key.
    compare: fn(&T, &T::Key) -> Ordering,
}

/// The order of the values of a column.
struct ByValue<'c, T: Indexed> {
    values: &'c Column<T>,
    compare: fn(&T, &T::Key) -> Ordering,
}

impl<T: Indexed> SlotOrder for ByValue<'_, T> {
    fn has_value(&self, slot: u32) -> bool {
        self.values.contains(slot)
    }

    fn compare(&self, a: u32, b: u32) -> Ordering {
        let by_value = match (self.values.get(a), self.values.get(b)) {
            (Some(of_a), Some(of_b)) => (self.compare)(of_a, of_b.key().borrow()),
            (of_a, of_b) => of_a.is_some().cmp(&of_b.is_some()),
        };
        by_value.then(a.cmp(&b))
    }
}

impl<T: Indexed> OrderState<T> {
    /// The slots with all values in order: with those that were changed in place, too.
    fn current(&self, values: &Column<T>) -> Cow<'_, OrderedSlots> {
        let changed = all_changed_since(values, self.seen);
        if changed.is_empty() && self.slots.is_complete() {
            return Cow::Borrowed(&self.slots);
        }
        let mut slots = self.slots.clone();
        slots.retry();
        slots.loosen_all(&changed);
        slots.place(&ByValue { values, compare: self.compare });
        Cow::Owned(slots)
    }

    /// Calls `found` with the slot of each living entity whose value `compare` finds equal.
    fn each(
        &self,
        values: &Column<T>,
        entities: &Entities,
        compare: &dyn Fn(&T) -> Ordering,
        found: &mut dyn FnMut(u32),
    ) {
        let (slots, compare) = (self.current(values), |slot| values.get(slot).map(compare));
        let mut at = slots.partition(&|slot| compare(slot) == Some(Ordering::Less));
        while let Some(slot) = slots.get(at)
            && compare(slot) == Some(Ordering::Equal)
        {
            if is_alive(entities, slot) {
                found(slot);
            }
            at = slots.later(at, 1);
        }
    }

    /// Puts the values in order that were changed in place before `tick`. A value may be changed
    /// again at `tick` itself. While there is such a value in the order, none is compared with it.
    fn take_up(&mut self, values: &Column<T>, tick: u64) {
        let before = tick.saturating_sub(1);
        if self.seen < before {
            self.slots.loosen_all(&all_changed_since(values, self.seen));
            self.seen = before;
        }
        if self.slots.has_loose() && !has_changed_since(values, before) {
            self.slots.place(&ByValue { values, compare: self.compare });
        }
    }
}

/// The slots whose values were changed after `tick`.
fn all_changed_since<T>(values: &Column<T>, tick: u64) -> Vec<u32> {
    let mut slots = Vec::new();
    changed_since(values, tick, |slot| slots.push(slot));
    slots
}

/// Whether a value was changed after `tick`.
fn has_changed_since<T>(values: &Column<T>, tick: u64) -> bool {
    let Some(stamps) = values.stamps() else { return false };
    let mut word = stamps.next_since(0, tick);
    while let Some(slots) = values.mask(word) {
        if stamps.changed_since(word, tick) & slots != 0 {
            return true;
        }
        word = stamps.next_since(word + 1, tick);
    }
    false
}

impl<T: Indexed> RuleState<T> for OrderState<T> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn shrink(&mut self) {
        self.slots.shrink();
    }

    fn copy(&self) -> Box<dyn RuleState<T>> {
        Box::new(Self { slots: self.slots.clone(), ..*self })
    }

    fn refuse(
        &self,
        values: &Column<T>,
        entities: &Entities,
        entity: Option<Entity>,
        value: &T,
    ) -> Option<Reason> {
        refuse_equal::<T>(entities, entity, |found| {
            let compare = |other: &T| (self.compare)(other, value.key().borrow());
            self.each(values, entities, &compare, found);
        })
    }

    fn inserted(&mut self, values: &mut Column<T>, context: ChangeContext<'_>, _: Option<&T>) {
        self.slots.loosen(context.entity.slot());
        self.take_up(values, context.tick);
    }

    // Compares nothing, since `Ord` may panic, and values are also removed during unwinding.
    fn removed(&mut self, _: &mut Column<T>, context: ChangeContext<'_>, _: &T) {
        self.slots.remove(context.entity.slot());
    }

    // Compares nothing: the library goes on with other columns when one has panicked.
    fn exchanged(&mut self, _: &mut Column<T>, a: ChangeContext<'_>, b: ChangeContext<'_>) {
        [a, b].iter().for_each(|context| self.slots.loosen(context.entity.slot()));
    }

    fn lent(&mut self, values: &mut Column<T>, slot: u32, tick: u64) {
        self.take_up(values, tick);
        if values.contains(slot) {
            self.slots.loosen(slot);
        }
    }

    fn reindex_changed(&mut self, values: &mut Column<T>, tick: u64) {
        self.take_up(values, tick);
    }

    // Compares nothing, as `exchanged`.
    fn regrouped(&mut self, _: &mut Column<T>, _: ChangeContext<'_>, moved: &Regrouped) {
        let is_known = |(from, _): &(Entity, Entity)| self.slots.contains(from.slot());
        let known: Vec<(Entity, Entity)> = moved.iter().filter(is_known).collect();
        known.iter().for_each(|(from, _)| self.slots.remove(from.slot()));
        known.iter().for_each(|(_, to)| self.slots.loosen(to.slot()));
    }

    fn clear(&mut self) {
        self.slots.clear();
        self.seen = 0; // a restore that has panicked leaves the world with an earlier tick
    }

    fn load_values(
        &mut self,
        values: &mut Column<T>,
        context: ChangeContext<'_>,
    ) -> Result<(), (u32, String)> {
        let slots: Vec<u32> = values.slots().collect();
        self.slots.loosen_all(&slots);
        self.take_up(values, context.tick);
        // equal keys are neighbours now
        for &slot in slots.iter().filter(|_| T::IS_KEY) {
            let (entity, value) = (context.entities.at(slot as usize), values.get(slot));
            let reason = value.and_then(|value| self.refuse(values, context.entities, Some(entity), value));
            if let Some(reason) = reason {
                return Err((slot, reason.to_string()));
            }
        }
        Ok(())
    }
}

/// Iterator over the entities with values in a range, in ascending order of the values; those with
/// equal values in the order of their slots. `rev` gives the greatest value first.
#[derive(Clone)]
pub struct EntityRange<'w> {
    entities: &'w Entities,
    slots: Cow<'w, OrderedSlots>,
    /// The position of the next slot.
    front: Position,
    /// The position after the last slot.
    back: Position,
}

impl EntityRange<'_> {
    /// The entity at a position, if it is alive.
    fn get(&self, at: Position) -> Option<Entity> {
        let slot = self.slots.get(at).filter(|&slot| is_alive(self.entities, slot))?;
        Some(self.entities.at(slot as usize))
    }
}

impl Iterator for EntityRange<'_> {
    type Item = Entity;

    fn next(&mut self) -> Option<Entity> {
        while self.front < self.back {
            let at = self.front;
            self.front = self.slots.later(at, 1);
            if let Some(entity) = self.get(at) {
                return Some(entity);
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.slots.between(self.front, self.back);
        (len, Some(len))
    }

    fn count(self) -> usize {
        self.len()
    }

    fn last(mut self) -> Option<Entity> {
        self.next_back()
    }

    fn nth(&mut self, count: usize) -> Option<Entity> {
        self.front = self.slots.later(self.front, count).min(self.back);
        self.next()
    }
}

impl DoubleEndedIterator for EntityRange<'_> {
    fn next_back(&mut self) -> Option<Entity> {
        while self.front < self.back {
            self.back = self.slots.earlier(self.back, 1);
            if let Some(entity) = self.get(self.back) {
                return Some(entity);
            }
        }
        None
    }

    fn nth_back(&mut self, count: usize) -> Option<Entity> {
        self.back = self.slots.earlier(self.back, count).max(self.front);
        self.next_back()
    }
}

impl ExactSizeIterator for EntityRange<'_> {}
impl FusedIterator for EntityRange<'_> {}

debug!([] EntityRange<'_>, |this, f| f.debug_list().entries(this.clone()).finish());

/// The entities whose key is in a range.
pub(crate) fn find_range<'w, T: Ordered>(
    values: &'w Column<T>,
    entities: &'w Entities,
    range: &impl RangeBounds<T::Key>,
) -> EntityRange<'w> {
    between(values, entities, range.start_bound(), range.end_bound())
}

fn between<'w, T: Ordered>(
    values: &'w Column<T>,
    entities: &'w Entities,
    start: Bound<&T::Key>,
    end: Bound<&T::Key>,
) -> EntityRange<'w> {
    let Some(state) = values.rule_state::<OrderState<T>>() else {
        let (slots, front) = (Cow::Owned(OrderedSlots::default()), Position::default());
        return EntityRange { entities, slots, front, back: front };
    };
    let slots = state.current(values);
    // the position of the first slot whose key is greater than `key`, or equal to it
    let first = |key: &T::Key, or_equal: bool| {
        slots.partition(&|slot| {
            let order = values.get(slot).map(|value| (state.compare)(value, key));
            order == Some(Ordering::Less) || !or_equal && order == Some(Ordering::Equal)
        })
    };
    let front = match start {
        Bound::Included(key) => first(key, true),
        Bound::Excluded(key) => first(key, false),
        Bound::Unbounded => Position::default(),
    };
    let back = match end {
        Bound::Included(key) => first(key, false),
        Bound::Excluded(key) => first(key, true),
        Bound::Unbounded => slots.end(),
    };
    EntityRange { entities, slots, front, back: back.max(front) }
}

/// The smallest value, or with `at_end` the greatest one, and its entity. Of equal values, the
/// first or the last one in the order of the slots.
pub(crate) fn find_end<'w, T: Ordered>(
    values: &'w Column<T>,
    entities: &'w Entities,
    at_end: bool,
) -> Option<(Entity, &'w T)> {
    let mut all = find_range(values, entities, &..);
    let entity = if at_end { all.next_back() } else { all.next() }?;
    Some((entity, values.get(entity.slot())?))
}
