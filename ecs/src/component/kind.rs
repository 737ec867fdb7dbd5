//! The kind of a component, as a type: [`Kind`], whose parameters are the options of
//! `#[derive(Component)]` and `#[derive(Relation)]`.
//!
//! Columns and queries read the options as constants of [`ColumnKind`] and [`ComponentKind`], so
//! that a component pays only for the options that it has. The traits of
//! [`markers`](super::markers) are bounds on kinds, each with a compile error of its own. Soundness
//! does not rely on kinds, since a user can implement `Component` by hand with any of them.

use alloc::boxed::Box;
use core::marker::PhantomData;

use super::IsComponent;
use super::packed::StoragePart;
use super::rule::{ComponentRule, NoRule};
use crate::base::tick::Ticks;
use crate::change::{Mut, Ref};
use crate::query::change::TrackedColumn;
use crate::query::data::Data;
use crate::query::slots::RequiredColumn;
use crate::storage::column::Column;
use crate::storage::kind::{ColumnKind, RuleSet};
use crate::storage::rule_state::RuleState;

/// The kind of a component. A parameter that is left out stands for an option that the component
/// does not have.
///
/// - `F`: the form of the values: [`Value`], [`Tag`], [`IndexedValue`], [`KeyValue`],
///   [`Immutable`].
/// - `TRACKED`: whether the ticks of additions and changes are stored.
/// - `G`: the rule that insertions and removals are subject to.
/// - `L`: whether removed values are kept for readers: [`NotLogged`] or [`Logged`].
/// - `P`: the properties that depend on the world, such as required components: see
///   `WorldPart`; and the storage: see `StoragePart`.
/// - `EXCLUDES`: whether the component excludes others.
pub struct Kind<F, const TRACKED: bool, G = NoRule, L = NotLogged, P = (), const EXCLUDES: bool = false>(
    PhantomData<(F, G, L, P)>,
);

/// The shape of a component as a bundle, with `EXCLUDES` of its [`Kind`].
pub struct ComponentShape<const EXCLUDES: bool>;

/// The form of a component with a value, which is changed in place.
pub struct Value;

/// The form of a component without a value.
pub struct Tag;

/// The form of a component that is found by its value. It is tracked, so that the index sees all
/// changes.
pub struct IndexedValue;

/// The form of a component whose values are replaced and never changed in place: a key, so that no
/// two entities have equal values, a component with a hook, or one with the option `immutable`.
pub struct KeyValue;

/// The form of a relation: a value is replaced and never changed in place, so that both of its ends
/// stay known.
pub struct Immutable;

/// The form of a type that is not a component. It has every property, so that the mistake causes no
/// second error.
pub struct AnyForm;

/// The kind of a type that is not a component.
pub(crate) type AnyKind = Kind<AnyForm, false>;

/// Whether a column logs removed values.
pub trait RemovalLog: 'static {
    /// Whether it does.
    const LOGGED: bool;
}

/// The column drops removed values.
pub struct NotLogged;

/// The column logs at most `MOST` removed values for readers; 0 stands for the default bound.
pub struct Logged<const MOST: usize>;

impl RemovalLog for NotLogged {
    const LOGGED: bool = false;
}
impl<const MOST: usize> RemovalLog for Logged<MOST> {
    const LOGGED: bool = true;
}

/// The mutable borrow of values of a form, with or without tracking.
pub trait Form<const TRACKED: bool>: 'static {
    /// Whether the component has an index of values that may be changed in place.
    const INDEXED: bool = false;
    /// The query element that borrows a value mutably, or shared if values are not changed in
    /// place.
    type Unique<T: 'static>: Data;
    /// The value of a slot, by that query element.
    fn unique<T: 'static>(
        column: &mut Column<T>,
        slot: u32,
        ticks: Ticks,
    ) -> Option<<Self::Unique<T> as Data>::Item<'_>>;
    /// The column, for that query element.
    fn columns<T: 'static>(column: &mut Column<T>, ticks: Ticks) -> <Self::Unique<T> as Data>::Columns;
}

macro_rules! forms {
    ($($form:ident, $tracked:literal: $element:ty, |$column:ident, $slot:ident, $ticks:ident| $unique:expr, $columns:expr $(, $indexed:literal)?;)*) => {$(
        impl Form<$tracked> for $form {
            $(const INDEXED: bool = $indexed;)?
            type Unique<T: 'static> = $element;
            #[inline(always)]
            #[allow(unused_variables)]
            fn unique<T: 'static>(
                $column: &mut Column<T>,
                $slot: u32,
                $ticks: Ticks,
            ) -> Option<<Self::Unique<T> as Data>::Item<'_>> {
                $unique
            }
            #[inline(always)]
            #[allow(unused_variables)]
            fn columns<T: 'static>(
                $column: &mut Column<T>,
                $ticks: Ticks,
            ) -> <Self::Unique<T> as Data>::Columns {
                $columns
            }
        }
    )*};
}

forms! {
    Value, false: &'static mut T, |column, slot, ticks| column.get_mut(slot), RequiredColumn(column.raw());
    Value, true: Mut<'static, T>,
        |column, slot, ticks| column.get_tracked(slot, ticks), TrackedColumn::new(column, ticks);
    Tag, false: &'static mut T, |column, slot, ticks| column.get_mut(slot), RequiredColumn(column.raw());
    Tag, true: Mut<'static, T>,
        |column, slot, ticks| column.get_tracked(slot, ticks), TrackedColumn::new(column, ticks);
    IndexedValue, true: Mut<'static, T>,
        |column, slot, ticks| column.get_indexed(slot, ticks), TrackedColumn::new(column, ticks), true;
    KeyValue, false: &'static T, |column, slot, ticks| column.get(slot), RequiredColumn(column.raw());
    KeyValue, true: Ref<'static, T>,
        |column, slot, ticks| column.get_ref(slot, ticks), TrackedColumn::new(column, ticks);
    Immutable, false: &'static T, |column, slot, ticks| column.get(slot), RequiredColumn(column.raw());
    Immutable, true: Ref<'static, T>,
        |column, slot, ticks| column.get_ref(slot, ticks), TrackedColumn::new(column, ticks);
    AnyForm, false: &'static mut T, |column, slot, ticks| column.get_mut(slot), RequiredColumn(column.raw());
}

/// Seals [`ComponentKind`]: views rely on the query elements that the kinds name.
pub trait SealedKind {
    /// The shape of the components as bundles.
    type Shape;
}

/// The properties of a component, as constants and types. [`Kind`] implements it.
pub trait ComponentKind: ColumnKind + SealedKind + Sized + 'static {
    /// Whether the component excludes other components.
    const EXCLUDES: bool;
    /// See `Form::Unique`.
    type Unique<T: 'static>: Data;
    #[doc(hidden)]
    fn unique<T: 'static>(
        column: &mut Column<T>,
        slot: u32,
        ticks: Ticks,
    ) -> Option<<Self::Unique<T> as Data>::Item<'_>>;
    #[doc(hidden)]
    fn columns<T: 'static>(column: &mut Column<T>, ticks: Ticks) -> <Self::Unique<T> as Data>::Columns;
}

/// The query element that borrows a `T` mutably: `&mut T`, or [`Mut<T>`](Mut) of a tracked
/// component; `&T` of a key.
pub(crate) type Unique<T> = <<T as IsComponent>::Kind as ComponentKind>::Unique<T>;

/// The item of the query element [`Unique<T>`](Unique).
pub(crate) type UniqueItem<'w, T> = <Unique<T> as Data>::Item<'w>;

impl<F, const TRACKED: bool, G, L, P, const EXCLUDES: bool> SealedKind
    for Kind<F, TRACKED, G, L, P, EXCLUDES>
{
    type Shape = ComponentShape<EXCLUDES>;
}

impl<F, const TRACKED: bool, G, L, P, const EXCLUDES: bool> ColumnKind for Kind<F, TRACKED, G, L, P, EXCLUDES>
where
    F: Form<TRACKED>,
    G: ComponentRule,
    L: RemovalLog,
    P: StoragePart,
{
    const TRACKED: bool = TRACKED;
    const PACKED: bool = P::PACKED;
    const LOGGED: bool = L::LOGGED;
    const GUARDED: bool = G::GUARDED;
    const REFUSES: bool = G::REFUSES || EXCLUDES;
    const INDEXED: bool = F::INDEXED;
    const RULES: RuleSet = G::RULES;
    fn rule_state<T: 'static>() -> Option<Box<dyn RuleState<T>>> {
        G::rule_state()
    }
}

impl<F, const TRACKED: bool, G, L, P, const EXCLUDES: bool> ComponentKind
    for Kind<F, TRACKED, G, L, P, EXCLUDES>
where
    F: Form<TRACKED>,
    G: ComponentRule,
    L: RemovalLog,
    P: StoragePart,
{
    const EXCLUDES: bool = EXCLUDES;
    type Unique<T: 'static> = F::Unique<T>;
    #[inline(always)]
    fn unique<T: 'static>(
        column: &mut Column<T>,
        slot: u32,
        ticks: Ticks,
    ) -> Option<<Self::Unique<T> as Data>::Item<'_>> {
        F::unique(column, slot, ticks)
    }
    #[inline(always)]
    fn columns<T: 'static>(column: &mut Column<T>, ticks: Ticks) -> <Self::Unique<T> as Data>::Columns {
        F::columns(column, ticks)
    }
}
