//! Kinds of components that wrap another kind and add one property, such as [`WithRule`] and [`Requiring`]. They have all other
//! properties of the inner kind.
//!
//! This file lists, for all wrappers, the properties that they pass on. A new property of kinds, or a new wrapper, is a line in one
//! of these lists.

use alloc::boxed::Box;

use super::excludes::Excluding;
use super::kind::{
    AnyKind, ChangedByMut, Changes, Compatible, ComponentKind, InPlace, IndexedValue, KeepsRemoved, KeyValue,
    Logged, SealedKind, Tag, Tracked, TrackedTag, Tracks, Unseen, Untracked, Value,
};
use super::requires::Requiring;
use super::rule::{ComponentRule, WithRule, rule_state_of};
use super::unique::IsUnique;
use crate::base::tick::Ticks;
use crate::component::immutable::{Immutable, MutableTracked, NotRelation, TrackedImmutable};
use crate::component::marking::WithMark;
use crate::query::data::Data;
use crate::storage::column::Column;
use crate::storage::kind::{ColumnKind, RuleSet};
use crate::storage::rule_state::RuleState;

macro_rules! wrapping {
    ($(
        [$($parameters:tt)*] $kind:ty:
        $logged:expr, $guarded:expr, $refuses:expr, $excludes:expr, $rules:expr, $rule_state:expr;
    )*) => {$(
        impl<$($parameters)*> SealedKind for $kind {}
        impl<$($parameters)*> ColumnKind for $kind {
            const TRACKED: bool = K::TRACKED;
            const LOGGED: bool = $logged;
            const GUARDED: bool = $guarded;
            const REFUSES: bool = $refuses;
            const INDEXED: bool = K::INDEXED;
            const RULES: RuleSet = $rules;
            fn rule_state<T: 'static>() -> Option<Box<dyn RuleState<T>>> {
                $rule_state
            }
        }
        impl<$($parameters)*> ComponentKind for $kind {
            const EXCLUDES: bool = $excludes;
            type Unique<T: 'static> = K::Unique<T>;
            #[inline(always)]
            fn unique<T: 'static>(
                column: &mut Column<T>,
                slot: u32,
                ticks: Ticks,
            ) -> Option<<Self::Unique<T> as Data>::Item<'_>> {
                K::unique(column, slot, ticks)
            }
            #[inline(always)]
            fn columns<T: 'static>(column: &mut Column<T>, ticks: Ticks) -> <Self::Unique<T> as Data>::Columns {
                K::columns(column, ticks)
            }
        }
    )*};
}

// the values of LOGGED, GUARDED, REFUSES, EXCLUDES, RULES, and of `rule_state`
wrapping! {
    [K: ComponentKind, const MOST: usize] Logged<K, MOST>:
        true, K::GUARDED, K::REFUSES, K::EXCLUDES, K::RULES, K::rule_state();
    [R: 'static, K: ComponentKind] Requiring<R, K>:
        K::LOGGED, K::GUARDED, K::REFUSES, K::EXCLUDES, K::RULES, K::rule_state();
    [G: ComponentRule, K: ComponentKind] WithRule<G, K>:
        K::LOGGED, true, G::REFUSES || K::REFUSES, K::EXCLUDES, K::RULES.and(G::RULES), rule_state_of::<G, T>();
    [R: 'static, K: ComponentKind] Excluding<R, K>:
        K::LOGGED, K::GUARDED, true, true, K::RULES, K::rule_state();
    [R: 'static, K: ComponentKind] WithMark<R, K>:
        K::LOGGED, K::GUARDED, K::REFUSES, K::EXCLUDES, K::RULES, K::rule_state();
}

// The kinds after the bar have no `do_not_recommend`, so that messages name them on the way to the inner kind. With it, a message
// about a method call would underline the receiver instead of the method.
macro_rules! passed_on {
    ($($of:ident: $($kind:ident)* | $($named:ident)*;)*) => {$(
        impl<T: ?Sized, K: $of<T>, const MOST: usize> $of<T> for Logged<K, MOST> {}
        $(
            #[diagnostic::do_not_recommend]
            impl<T: ?Sized, R, K: $of<T>> $of<T> for $kind<R, K> {}
        )*
        $(impl<T: ?Sized, G, K: $of<T>> $of<T> for $named<G, K> {})*
    )*};
}

passed_on! {
    Changes: Requiring Excluding WithMark | WithRule;
    Untracked: Requiring Excluding WithMark | WithRule;
    InPlace: Requiring Excluding WithMark | WithRule;
    Unseen: Requiring Excluding WithMark |;
    Tracks: Requiring Excluding WithMark | WithRule;
    NotRelation: Requiring Excluding WithMark | WithRule;
    MutableTracked: Requiring Excluding WithMark | WithRule;
    // without `Excluding`, which is not compatible with all components
    Compatible: Requiring WithMark | WithRule;
    // without `WithRule`, which has an implementation of its own
    IsUnique: Requiring Excluding WithMark |;
}

macro_rules! changed_by_mut {
    ($([$($parameters:tt)*] $kind:ty;)*) => {$(
        impl<T: ?Sized, $($parameters)*> ChangedByMut<T> for $kind
        where
            Self: Changes<T> + Untracked<T> + InPlace<T> + NotRelation<T>,
        {
        }
    )*};
}
changed_by_mut! {
    [] Value;
    [] Tag;
    [] Tracked;
    [] TrackedTag;
    [] IndexedValue;
    [] KeyValue;
    [] Immutable;
    [] TrackedImmutable;
    [] AnyKind;
    [K, const MOST: usize] Logged<K, MOST>;
    [R, K] Requiring<R, K>;
    [R, K] Excluding<R, K>;
    [R, K] WithMark<R, K>;
    [G, K] WithRule<G, K>;
}

// not by `passed_on`, since a message shows this line
impl<T: ?Sized, G, K: Unseen<T>> Unseen<T> for WithRule<G, K> {}

macro_rules! keeps_removed_as_inner {
    ($($kind:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T, R, K: KeepsRemoved<T>> KeepsRemoved<T> for $kind<R, K> {
            const MOST: usize = K::MOST;
            const COPY: fn(&T) -> T = K::COPY;
        }
    )*};
}
keeps_removed_as_inner!(Requiring WithRule Excluding WithMark);
