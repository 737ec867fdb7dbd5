//! Kinds that are another kind and something more: what is true of the one within is true of them, but for what they add.
//!
//! All of it is said here, once for every such kind: a new property of kinds, or a new kind that holds another one, is a
//! line in one of these lists.

use alloc::boxed::Box;

use super::excludes::Excluding;
use super::kind::{
    AnyKind, ChangedByMut, Changes, Compatible, ComponentKind, InPlace, IndexedValue, KeyValue, Logged, Logs,
    Sealed, Tag, Tracked, TrackedTag, Tracks, Unseen, Untracked, Value,
};
use super::requires::Requiring;
use super::rule::{ComponentRule, WithRule, rule_state_of};
use super::unique::IsUnique;
use crate::base::tick::Ticks;
use crate::component::immutable::{Immutable, MutableTracked, NotRelation, TrackedImmutable};
use crate::component::marking::WithMark;
use crate::query::data::Data;
use crate::storage::column::Column;
use crate::storage::kind::ColumnKind;
use crate::storage::rule_state::RuleState;

macro_rules! wrapping {
    ($(
        [$($parameters:tt)*] $kind:ty:
        $logged:expr, $guarded:expr, $refuses:expr, $excludes:expr, $rule_state:expr;
    )*) => {$(
        impl<$($parameters)*> Sealed for $kind {}
        impl<$($parameters)*> ColumnKind for $kind {
            const TRACKED: bool = K::TRACKED;
            const LOGGED: bool = $logged;
            const GUARDED: bool = $guarded;
            const REFUSES: bool = $refuses;
            const INDEXED: bool = K::INDEXED;
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

// logged, guarded, refuses, excludes, the rule state
wrapping! {
    [K: ComponentKind, const MOST: usize] Logged<K, MOST>:
        true, K::GUARDED, K::REFUSES, K::EXCLUDES, K::rule_state();
    [R: 'static, K: ComponentKind] Requiring<R, K>:
        K::LOGGED, K::GUARDED, K::REFUSES, K::EXCLUDES, K::rule_state();
    [G: ComponentRule, K: ComponentKind] WithRule<G, K>:
        K::LOGGED, true, G::REFUSES || K::REFUSES, K::EXCLUDES, rule_state_of::<G, T>();
    [R: 'static, K: ComponentKind] Excluding<R, K>:
        K::LOGGED, K::GUARDED, true, true, K::rule_state();
    [R: 'static, K: ComponentKind] WithMark<R, K>:
        K::LOGGED, K::GUARDED, K::REFUSES, K::EXCLUDES, K::rule_state();
}

// Behind the bar stand the kinds that messages name on the way to the one within: where they do, a message about a call
// underlines the method, not what it is called on.
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
    // what excludes others does not
    Compatible: Requiring WithMark | WithRule;
    // a rule makes it so
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

// written out, since a message shows it
impl<T: ?Sized, G, K: Unseen<T>> Unseen<T> for WithRule<G, K> {}

macro_rules! logs_as_inner {
    ($($kind:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T, R, K: Logs<T>> Logs<T> for $kind<R, K> {
            const MOST: usize = K::MOST;
            const COPY: fn(&T) -> T = K::COPY;
        }
    )*};
}
logs_as_inner!(Requiring WithRule Excluding WithMark);
