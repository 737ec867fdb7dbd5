//! Columns of components with a rule: they tell the rule's companion about changes of their values.

use alloc::boxed::Box;
#[cfg(feature = "serde")]
use alloc::string::String;
use core::marker::PhantomData;

use super::column::Column;
use super::kind::ColumnKind;
use super::rare::Rare;
use crate::entity::Entity;
use crate::entity::allocator::Entities;
use crate::error::Reason;
#[cfg(feature = "serde")]
use crate::storage::rule_state::Order;
use crate::storage::rule_state::{Companion, DespawnEffects, Site};

/// The functions of a component `T` of kind `K` that has a rule; `None` without a rule.
///
/// Constants, so that rustc does not instantiate the untaken branch for each component.
pub(crate) struct Rule<T, K>(PhantomData<(T, K)>);

/// Gives an entity a value, and returns the value that it replaces.
pub(crate) type Insert<T> = fn(&mut Column<T>, Site<'_>, T) -> Option<T>;
/// Takes the value of an entity away.
pub(crate) type Remove<T> = fn(&mut Column<T>, Site<'_>) -> Option<T>;

impl<T: 'static, K: ColumnKind> Rule<T, K> {
    pub(crate) const INSERT: Option<Insert<T>> =
        if K::GUARDED { Some(Column::insert_guarded::<K>) } else { None };
    /// Called when an entity without a value gets one.
    pub(crate) const NOTE_ADDED: Option<fn(&mut Column<T>, u32)> =
        if K::LOGGED { Some(Column::note_added) } else { None };
    pub(crate) const REMOVE: Option<Remove<T>> = if K::GUARDED { Some(Column::remove_guarded) } else { None };
}

impl<T: 'static> Column<T> {
    /// Why `entity`, or a new one, cannot have the value.
    pub(crate) fn refuse<K: ColumnKind>(
        &mut self,
        entities: &Entities,
        entity: Option<Entity>,
        value: &T,
    ) -> Option<Reason> {
        self.accompany::<K>();
        self.rare().companion.as_ref()?.refuse(self, entities, entity, value)
    }

    /// Makes the companion of `K`, unless it exists.
    fn accompany<K: ColumnKind>(&mut self) {
        if self.rare().companion.is_none() {
            self.rare_mut().companion = K::companion().map_or(Rare::none(), Rare::some);
        }
    }

    /// The companion, if it is of this type; there is none before the first value.
    pub(crate) fn companion<C: 'static>(&self) -> Option<&C> {
        self.rare().companion.as_ref()?.as_any().downcast_ref()
    }

    /// Gives an entity a value; the value that it replaces.
    pub(crate) fn insert_guarded<K: ColumnKind>(&mut self, site: Site<'_>, value: T) -> Option<T> {
        self.accompany::<K>();
        let (old, first) = self.insert(site.entity.slot(), value);
        if K::TRACKED {
            // the companion is told of this value; what is changed in place in the same turn has a later stamp
            let tick = if K::INDEXED { site.tick.saturating_sub(1) } else { site.tick };
            self.stamp(site.entity.slot(), tick, old.is_none());
        }
        if first {
            site.entities.note(site.entity.slot(), site.index);
        }
        if old.is_none()
            && let Some(note_added) = const { Rule::<T, K>::NOTE_ADDED }
        {
            note_added(self, site.entity.slot());
        }
        self.with_companion(|companion, column| companion.inserted(column, site, old.as_ref()));
        old
    }

    /// Takes the value of an entity away, and keeps a copy for those who react to it if anybody does.
    pub(crate) fn remove_guarded(&mut self, site: Site<'_>) -> Option<T> {
        let old = self.remove_logged(site.entity)?;
        self.with_companion(|companion, column| companion.removed(column, site, &old));
        Some(old)
    }

    /// An entity has just died: its value goes, and what the rule says of the dead is done.
    pub(crate) fn discard_guarded(&mut self, site: Site<'_>, effects: &mut DespawnEffects) {
        let old = self.remove(site.entity.slot());
        self.with_companion(|companion, column| {
            if let Some(old) = &old {
                companion.removed(column, site, old);
            }
            companion.died(column, site, effects);
        });
        if let (Some(old), Some(removals)) = (old, self.rare_mut().removals.as_mut())
            && !removals.was_added(site.entity.slot())
        {
            removals.push(site.entity, old);
        }
    }

    /// Lets the companion work, if it is of this type.
    pub(crate) fn with<C: 'static, R>(&mut self, f: impl FnOnce(&mut C, &mut Self) -> R) -> Option<R> {
        let mut result = None;
        self.with_companion(|companion, column| {
            let companion = companion.as_any_mut().and_then(<dyn core::any::Any>::downcast_mut);
            result = companion.map(|companion| f(companion, column));
        });
        result
    }

    /// Lets the companion look at what was changed in place before `tick`.
    pub(crate) fn look(&mut self, tick: u64) {
        self.with_companion(|companion, column| companion.look(column, tick));
    }

    /// What the companion remembers that the values do not tell.
    #[cfg(feature = "serde")]
    pub(crate) fn order(&self) -> Order {
        self.rare().companion.as_ref().map_or_else(Order::new, |companion| companion.order())
    }

    /// The values have come from a file: the companion looks at them, and remembers them. An error names the slot.
    #[cfg(feature = "serde")]
    pub(crate) fn load<K: ColumnKind>(&mut self, site: Site<'_>, order: &Order) -> Result<(), (u32, String)> {
        self.accompany::<K>();
        let mut loaded = Ok(());
        self.with_companion(|companion, column| {
            loaded =
                companion.load_values(column, site).and_then(|()| companion.arrange(site.entities, order));
        });
        loaded
    }

    /// Why values that a file brings cannot join these. An error names the slot.
    #[cfg(feature = "serde")]
    pub(crate) fn admit<K: ColumnKind>(
        &mut self,
        entities: &Entities,
        newcomers: &Self,
    ) -> Result<(), (u32, String)> {
        self.accompany::<K>();
        self.rare().companion.as_ref().map_or(Ok(()), |companion| companion.admit(self, entities, newcomers))
    }

    /// The companion takes on an order alone, of values that it knows. An error names the slot.
    #[cfg(feature = "serde")]
    pub(crate) fn arrange(&mut self, entities: &Entities, order: &Order) -> Result<(), (u32, String)> {
        let mut arranged = Ok(());
        self.with_companion(|companion, _| arranged = companion.arrange(entities, order));
        arranged
    }

    /// Takes the companion out for as long as it works, and puts it back even if it panics.
    fn with_companion(&mut self, f: impl FnOnce(&mut dyn Companion<T>, &mut Self)) {
        struct Out<'c, T: 'static>(&'c mut Column<T>, Rare<Box<dyn Companion<T>>>);
        impl<T> Drop for Out<'_, T> {
            fn drop(&mut self) {
                self.0.rare_mut().companion = self.1.take();
            }
        }
        let companion = self.rare_mut().companion.take();
        let mut out = Out(self, companion);
        if let Some(companion) = out.1.as_mut() {
            f(&mut **companion, out.0);
        }
    }
}
