//! The functions of columns whose component has a rule. They notify the rule's state of changes.

use alloc::boxed::Box;
use alloc::string::String;
use core::marker::PhantomData;

use super::cold_fields::ErasedBox;
use super::column::Column;
use super::kind::ColumnKind;
use crate::base::tick::Ticks;
use crate::change::Mut;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::entity::journal::RecordedAction;
use crate::error::Reason;
use crate::storage::rule_state::Order;
use crate::storage::rule_state::{ChangeContext, DespawnEffects, RuleState};

/// The functions of a component `T` of kind `K` that has a rule; `None` without a rule.
///
/// These are function constants: see `docs/compile-times.md`.
struct Rule<T, K>(PhantomData<(T, K)>);

/// Gives an entity a value. Returns the value that it replaces.
type Insert<T> = fn(&mut Column<T>, ChangeContext<'_>, T) -> Option<T>;
/// Exchanges the value of an entity for another one, or returns the reason of a refusal; `None` if
/// the entity has no value, or the rule does not do both in one call.
pub(crate) type Replace<T> = fn(&mut Column<T>, Entity, u64, &mut T) -> Option<Result<(), Reason>>;
/// Removes the value of an entity and returns it.
type Remove<T> = fn(&mut Column<T>, ChangeContext<'_>) -> Option<T>;

impl<T: 'static, K: ColumnKind> Rule<T, K> {
    const INSERT: Option<Insert<T>> = if K::GUARDED { Some(Column::insert_guarded::<K>) } else { None };
    const REPLACE: Option<Replace<T>> = if K::RULES.hook { Some(Column::replace_hooked::<K>) } else { None };
    /// Called when an entity without a value gets one.
    const NOTE_ADDED: Option<fn(&mut Column<T>, u32)> =
        if K::LOGGED { Some(Column::note_added) } else { None };
    const REMOVE: Option<Remove<T>> = if K::GUARDED { Some(Column::remove_guarded) } else { None };
}

impl<T: 'static> Column<T> {
    /// The reason why `entity`, or a new entity if it is `None`, cannot have the value.
    pub(crate) fn refuse<K: ColumnKind>(
        &mut self,
        entities: &Entities,
        entity: Option<Entity>,
        value: &T,
    ) -> Option<Reason> {
        self.ensure_rule_state::<K>();
        self.cold().rule_state.as_ref()?.refuse(self, entities, entity, value)
    }

    /// The reason why `to` cannot have the value of `from`, which loses it. Hooks are not asked:
    /// they validate the values of a column whatever entities have them.
    pub(crate) fn refuse_held(&self, entities: &Entities, from: Entity, to: Entity) -> Option<Reason> {
        let value = self.get(from.slot())?;
        let reason = self.cold().rule_state.as_ref()?.refuse(self, entities, Some(to), value)?;
        match reason {
            Reason::HeldBy(holder) | Reason::Duplicate(holder) if holder == from => None,
            Reason::Invalid(_) => None,
            reason => Some(reason),
        }
    }

    /// The reason why a new entity of another world, which has this column, cannot have the value.
    pub(crate) fn refuse_newcomer<K: ColumnKind>(
        &mut self,
        entities: &Entities,
        value: &T,
    ) -> Option<Reason> {
        match self.refuse::<K>(entities, None, value)? {
            // targets are mapped when the entity moves
            Reason::NoSuchTarget(_) | Reason::Itself | Reason::Cycle(_) => None,
            reason => Some(reason),
        }
    }

    /// Removes the targets of a relation for which `keep` is false. Returns whether the value
    /// remains.
    pub(crate) fn keep_targets(&self, value: &mut T, keep: &dyn Fn(Entity) -> bool) -> bool {
        self.cold().rule_state.as_ref().is_none_or(|rule_state| rule_state.keep_targets(value, keep))
    }

    /// Exchanges the values of two live entities that both have one. Each counts as changed, not as
    /// removed and added.
    pub(crate) fn exchange<K: ColumnKind>(&mut self, a: ChangeContext<'_>, b: ChangeContext<'_>) {
        // a function constant: see `docs/compile-times.md`
        type Exchange<T> = fn(&mut Column<T>, ChangeContext<'_>, ChangeContext<'_>);
        let guarded: Option<Exchange<T>> =
            const { if K::GUARDED { Some(Self::exchange_guarded::<K>) } else { None } };
        if let Some(exchange) = guarded {
            return exchange(self, a, b);
        }
        self.exchange_plain::<K>(a, b);
    }

    /// [`exchange`](Self::exchange) without a rule.
    fn exchange_plain<K: ColumnKind>(&mut self, a: ChangeContext<'_>, b: ChangeContext<'_>) {
        if let Some(of_b) = self.remove(b.entity.slot())
            && let Some(of_a) = self.insert(a.entity.slot(), of_b).0
        {
            self.insert(b.entity.slot(), of_a);
        }
        self.note_inserted::<K>(a.entity.slot(), a.tick, false);
        self.note_inserted::<K>(b.entity.slot(), b.tick, false);
    }

    /// [`exchange`](Self::exchange) of values with a rule, which is told of it afterwards. A
    /// relation may change the values of other entities: its state sees a removal, a replacement
    /// and an insertion, one after the other.
    fn exchange_guarded<K: ColumnKind>(&mut self, a: ChangeContext<'_>, b: ChangeContext<'_>) {
        if const { K::RULES.relation.is_none() } {
            // as in `insert_guarded`
            let tick = if K::INDEXED { a.tick.saturating_sub(1) } else { a.tick };
            self.exchange_plain::<K>(ChangeContext { tick, ..a }, ChangeContext { tick, ..b });
            return self.with_rule_state(|rule_state, column| rule_state.exchanged(column, a, b));
        }
        let Some(of_b) = self.remove(b.entity.slot()) else { return };
        self.with_rule_state(|rule_state, column| rule_state.removed(column, b, &of_b));
        let Some(of_a) = self.insert_guarded::<K>(a, of_b) else { return };
        let tick = if K::INDEXED { b.tick.saturating_sub(1) } else { b.tick };
        let (_, first) = self.insert(b.entity.slot(), of_a);
        if first {
            b.entities.note(b.entity.slot(), b.index);
        }
        self.note_inserted::<K>(b.entity.slot(), tick, false);
        self.with_rule_state(|rule_state, column| rule_state.inserted(column, b, None));
    }

    /// Replaces the ids in a clone that the rule knows: the targets of a relation. Returns whether
    /// the clone is inserted.
    pub(crate) fn map_ids(&self, clone: &mut T, map: &dyn Fn(Entity) -> Option<Entity>) -> bool {
        // a column with a value to clone has its rule state
        self.cold().rule_state.as_ref().is_none_or(|rule_state| rule_state.map_ids(clone, map))
    }

    /// The entities that are despawned or lose a target when `target` is despawned.
    pub(crate) fn dependents(&self, target: Entity) -> &[Entity] {
        self.cold().rule_state.as_ref().map_or(&[], |rule_state| rule_state.dependents(target))
    }

    /// Makes the rule state of `K` if it does not exist.
    pub(crate) fn ensure_rule_state<K: ColumnKind>(&mut self) {
        if self.cold().rule_state.is_none() {
            self.cold_mut().rule_state = K::rule_state().map_or(ErasedBox::none(), ErasedBox::some);
        }
    }

    /// The rule state, if its type is `C`. It does not exist before the column's first value.
    pub(crate) fn rule_state<C: 'static>(&self) -> Option<&C> {
        self.cold().rule_state.as_ref()?.as_any().downcast_ref()
    }

    /// Gives a live entity a value of component kind `K`. Returns the value that the new one
    /// replaces.
    #[inline]
    pub(crate) fn put<K: ColumnKind>(&mut self, context: ChangeContext<'_>, value: T) -> Option<T> {
        match const { Rule::<T, K>::INSERT } {
            Some(insert) => insert(self, context, value),
            None => self.insert_noted::<K>(context, value),
        }
    }

    /// The function that replaces values whose rule is a hook, by one call of the hook; `None` for
    /// other components.
    pub(crate) const fn replace_function<K: ColumnKind>() -> Option<Replace<T>> {
        Rule::<T, K>::REPLACE
    }

    /// [`refuse`](Self::refuse) and [`put`](Self::put) in one, at `tick`, for a live entity that
    /// has a value: a move of an agent is as cheap as that.
    fn replace_hooked<K: ColumnKind>(
        &mut self,
        entity: Entity,
        tick: u64,
        value: &mut T,
    ) -> Option<Result<(), Reason>> {
        let (held, cold) = self.find_with_cold_fields(entity.slot())?;
        // a column with a value has its rule state
        let replaced = cold.rule_state.as_mut()?.replace(entity, held, value)?;
        if replaced.is_ok() {
            self.note_inserted::<K>(entity.slot(), tick, false);
        }
        Some(replaced)
    }

    /// [`put`](Self::put) for a new entity, whose block is noted to have the component already. An
    /// old value would be leaked.
    #[inline]
    pub(crate) fn put_new<K: ColumnKind>(&mut self, context: ChangeContext<'_>, value: T) {
        if let Some(insert) = const { Rule::<T, K>::INSERT } {
            insert(self, context, value);
            return;
        }
        self.insert_new(context.entity.slot(), value);
        self.note_inserted::<K>(context.entity.slot(), context.tick, true);
    }

    /// Inserts a value, and notes the change in the stamps, in the log of removed values and in the
    /// block of the entity.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn insert_noted<K: ColumnKind>(&mut self, context: ChangeContext<'_>, value: T) -> Option<T> {
        let ChangeContext { entity, entities, index, tick } = context;
        let (old, first) = self.insert(entity.slot(), value);
        if first {
            entities.note(entity.slot(), index);
        }
        self.note_inserted::<K>(entity.slot(), tick, old.is_none());
        old
    }

    /// Notes an insertion in the stamps and, if there was no value before, in the log of removed
    /// values.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn note_inserted<K: ColumnKind>(&mut self, slot: u32, tick: u64, added: bool) {
        if K::TRACKED {
            self.stamp(slot, tick, added);
        }
        if let Some(note_added) = const { Rule::<T, K>::NOTE_ADDED }
            && added
        {
            note_added(self, slot);
        }
    }

    /// Removes the value of a live entity and returns it.
    #[inline]
    pub(crate) fn take<K: ColumnKind>(&mut self, context: ChangeContext<'_>) -> Option<T> {
        if let Some(remove) = const { Rule::<T, K>::REMOVE } {
            remove(self, context)
        } else if K::LOGGED {
            self.remove_logged(context.entity)
        } else {
            self.remove(context.entity.slot())
        }
    }

    /// Gives an entity a value and notifies the rule state. Returns the value that the new one
    /// replaces.
    pub(crate) fn insert_guarded<K: ColumnKind>(
        &mut self,
        context: ChangeContext<'_>,
        value: T,
    ) -> Option<T> {
        self.ensure_rule_state::<K>();
        // the rule state gets this value below; a later change in place in the same turn must have
        // a later stamp
        let tick = if K::INDEXED { context.tick.saturating_sub(1) } else { context.tick };
        let old = self.insert_noted::<K>(ChangeContext { tick, ..context }, value);
        if old.is_none() {
            context.record(RecordedAction::Inserted(context.index));
        }
        self.with_rule_state(|rule_state, column| rule_state.inserted(column, context, old.as_ref()));
        self.drop_expelled(); // a relation may have taken values from other entities
        old
    }

    /// Removes the value of an entity and returns it, notifies the rule state, and logs a copy if a
    /// schedule has a reader.
    pub(crate) fn remove_guarded(&mut self, context: ChangeContext<'_>) -> Option<T> {
        let old = self.remove_logged(context.entity)?;
        context.record(RecordedAction::Removed(context.index));
        self.with_rule_state(|rule_state, column| rule_state.removed(column, context, &old));
        Some(old)
    }

    /// Removes the value of an entity that was despawned, notifies the rule state, and logs the
    /// value if a schedule has a reader.
    pub(crate) fn discard_guarded(&mut self, context: ChangeContext<'_>, effects: &mut DespawnEffects) {
        /// The removed value, which is logged even if the rule panics.
        struct LogOnDrop<'c, T>(&'c mut Column<T>, Entity, Option<T>);
        impl<T> Drop for LogOnDrop<'_, T> {
            fn drop(&mut self) {
                self.2 = self.2.take().and_then(|old| self.0.log(self.1, old));
            }
        }
        let old = self.remove(context.entity.slot());
        let mut removed = LogOnDrop(self, context.entity, old);
        let LogOnDrop(column, _, old) = &mut removed;
        column.with_rule_state(|rule_state, column| {
            if let Some(old) = old {
                rule_state.removed(column, context, old);
            }
            rule_state.despawned(column, context, effects);
        });
        drop(removed);
        self.drop_expelled();
    }

    /// Applies the policy of a relation to the sources of a live target that has lost a component
    /// that targets have.
    pub(crate) fn lose_target(&mut self, context: ChangeContext<'_>, effects: &mut DespawnEffects) {
        self.with_rule_state(|rule_state, column| rule_state.despawned(column, context, effects));
        self.drop_expelled();
    }

    /// The first target of a relation for which `is_wrong` is true.
    pub(crate) fn find_target(&self, value: &T, is_wrong: &dyn Fn(Entity) -> bool) -> Option<Entity> {
        self.cold().rule_state.as_ref()?.find_target(value, is_wrong)
    }

    /// Calls `f` with the rule state, if its type is `C`.
    pub(crate) fn with<C: 'static, R>(&mut self, f: impl FnOnce(&mut C, &mut Self) -> R) -> Option<R> {
        let mut result = None;
        self.with_rule_state(|rule_state, column| {
            let rule_state = rule_state.as_any_mut().and_then(<dyn core::any::Any>::downcast_mut);
            result = rule_state.map(|rule_state| f(rule_state, column));
        });
        result
    }

    /// [`get_tracked`](Self::get_tracked) of a component with an index, which takes the value up
    /// when the next one is borrowed. So the stamp of a change is that of an insertion: the index
    /// need not look for it.
    pub(crate) fn get_indexed(&mut self, slot: u32, ticks: Ticks) -> Option<Mut<'_, T>> {
        self.with_rule_state(|rule_state, column| rule_state.lent(column, slot, ticks.this_run));
        self.get_tracked(slot, Ticks { this_run: ticks.this_run.saturating_sub(1), ..ticks })
    }

    /// Updates the rule state with the values that were changed in place before `tick`.
    pub(crate) fn reindex_changed(&mut self, tick: u64) {
        self.with_rule_state(|rule_state, column| rule_state.reindex_changed(column, tick));
    }

    /// The part of the rule's state that does not follow from the values, to be saved.
    pub(crate) fn order(&self) -> Order {
        self.cold().rule_state.as_ref().map_or_else(Order::new, |rule_state| rule_state.order())
    }

    /// Checks the values that were loaded from a file, and takes them into the rule state.
    ///
    /// # Errors
    /// The slot of a refused value, and the reason.
    pub(crate) fn load<K: ColumnKind>(
        &mut self,
        context: ChangeContext<'_>,
        order: &Order,
    ) -> Result<(), (u32, String)> {
        self.ensure_rule_state::<K>();
        let mut loaded = Ok(());
        self.with_rule_state(|rule_state, column| {
            loaded = rule_state
                .load_values(column, context)
                .and_then(|()| rule_state.arrange(context.entities, order));
        });
        loaded
    }

    /// Checks the values of a file, which are about to be added to the column.
    ///
    /// # Errors
    /// The slot of a refused value among `newcomers`, and the reason.
    pub(crate) fn admit<K: ColumnKind>(
        &mut self,
        entities: &Entities,
        newcomers: &Self,
    ) -> Result<(), (u32, String)> {
        self.ensure_rule_state::<K>();
        self.cold()
            .rule_state
            .as_ref()
            .map_or(Ok(()), |rule_state| rule_state.admit(self, entities, newcomers))
    }

    /// Applies a saved order to the values in the rule state.
    ///
    /// # Errors
    /// The slot at which the order does not fit the values, and the reason.
    pub(crate) fn arrange(&mut self, entities: &Entities, order: &Order) -> Result<(), (u32, String)> {
        let mut arranged = Ok(());
        self.with_rule_state(|rule_state, _| arranged = rule_state.arrange(entities, order));
        arranged
    }

    /// Calls `f` with the rule state, which is taken out of the column for the call and put back
    /// even if `f` panics.
    pub(super) fn with_rule_state(&mut self, f: impl FnOnce(&mut dyn RuleState<T>, &mut Self)) {
        struct PutBack<'c, T: 'static>(&'c mut Column<T>, ErasedBox<Box<dyn RuleState<T>>>);
        impl<T> Drop for PutBack<'_, T> {
            fn drop(&mut self) {
                self.0.cold_mut().rule_state = self.1.take();
            }
        }
        let rule_state = self.cold_mut().rule_state.take();
        let mut guard = PutBack(self, rule_state);
        if let Some(rule_state) = guard.1.as_mut() {
            f(&mut **rule_state, guard.0);
        }
    }
}
