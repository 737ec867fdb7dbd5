//! Which entities a query matches.
//!
//! Filters are types that hold no data; they compose with [`And`], [`Or`], [`Not`] and tuples (all of), nested to
//! any depth. In a per-entity system a filter is a parameter: `_: Without<Frozen>`.
#![expect(unsafe_code, reason = "filters read the columns' bits by address")]

use core::fmt;
use core::marker::PhantomData;

use super::slots::{ExcludedColumn, Inverted, MatchesAny, MatchesNothing, RequiredColumn, SlotMatcher};
use crate::component::{Component, Has};
use crate::storage::kind::ColumnKind;
use crate::system::access::Access;
use crate::world::{World, WorldCell};

/// A condition on entities, independent of any world: [`With`], [`Without`], [`And`], [`Or`], [`Not`] and tuples;
/// of tracked components [`Changed`](super::Changed) and [`Added`](super::Added).
///
/// # Safety
/// An entity passes only if [`QueryFilter::ACCESS`] is right about what it has and has not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a query filter",
    label = "not a filter",
    note = "filters are `With<T>`, `Without<T>`, `And<(..)>`, `Or<(..)>`, `Not<F>`, of tracked components `Changed<T>` and `Added<T>`, and tuples of them"
)]
pub unsafe trait Filter: Sized {
    /// The columns as addresses, which say who passes.
    type Columns: SlotMatcher;
    /// The filter, as a parameter of a per-entity system.
    const VALUE: Self = panic!("nothing passes");
}

// SAFETY: a component by value is no filter: nothing passes, and no world answers it. That it is a type that a query can be
// written with leaves one message of one mistake. It is said once, and not by each derive.
#[diagnostic::do_not_recommend]
unsafe impl<T: Component> Filter for T {
    type Columns = MatchesNothing;
}

/// A [`Filter`] on components that world `W` has.
///
/// # Safety
/// `ACCESS` and `NEGATED` say truly what entities that pass, and that do not pass, have and have not.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a query filter of world `{W}`",
    label = "not a filter of `{W}`",
    note = "filters are `With<T>`, `Without<T>`, `And<(..)>`, `Or<(..)>`, `Not<F>`, of tracked components `Changed<T>` and `Added<T>`, and tuples of them"
)]
pub unsafe trait QueryFilter<W: World>: Filter {
    /// What it looks at.
    const ACCESS: Access;
    /// What its opposite looks at.
    const NEGATED: Access;
    /// The columns of a world.
    ///
    /// # Safety
    /// For as long as they are used, nobody adds or removes the components that the filter looks at.
    unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns;
    /// Whether [`replaced`](Self::replaced) can tell.
    #[doc(hidden)]
    const REPLACES: bool = false;
    /// The slots of a word that cannot have passed all the time since `tick`, even though they pass: they lacked a
    /// tracked component, which was added after it.
    ///
    /// # Safety
    /// Nobody adds or removes the components that the filter looks at.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn replaced(_world: WorldCell<'_, W>, _word: usize, _tick: u64) -> u64 {
        0
    }
}

macro_rules! filter_type {
    ($(#[$doc:meta])* $name:ident<$parameter:ident>) => {
        $(#[$doc])*
        pub struct $name<$parameter>(PhantomData<fn() -> $parameter>);

        impl<$parameter> $name<$parameter> {
            /// The filter as a value, for calling a per-entity system as the function it is.
            pub const fn new() -> Self {
                Self(PhantomData)
            }
        }

        impl<$parameter> Default for $name<$parameter> {
            fn default() -> Self {
                Self::new()
            }
        }

        impl<$parameter> Clone for $name<$parameter> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$parameter> Copy for $name<$parameter> {}

        impl<$parameter> fmt::Debug for $name<$parameter> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    };
}
pub(crate) use filter_type;

filter_type! {
    /// The entity has `T`, whose value is not of interest.
    With<T>
}
filter_type! {
    /// The entity does not have `T`.
    Without<T>
}
filter_type! {
    /// All filters of the tuple `F` pass; of none: always.
    And<F>
}
filter_type! {
    /// At least one filter of the tuple `F` passes; of none: never.
    ///
    /// Two queries of one system may write the same component where their filters keep the entities apart, `Or` included. The
    /// proof looks at the first four `Or`s that stand side by side in a query; an `Or` inside another one does not count. Of more
    /// it says that the queries may meet, which is an error of `cargo check`: split the system, or use fewer.
    Or<F>
}
filter_type! {
    /// The filter `F` does not pass.
    Not<F>
}

// SAFETY: who passes has `T`.
unsafe impl<T: 'static> Filter for With<T> {
    type Columns = RequiredColumn;
    const VALUE: Self = Self::new();
}

// SAFETY: presence is read.
unsafe impl<T: 'static, W: Has<T>> QueryFilter<W> for With<T> {
    const ACCESS: Access = {
        let access = Access::presence(W::INDEX);
        Access { with: access.presence, ..access }
    };
    const NEGATED: Access = {
        let access = Access::presence(W::INDEX);
        Access { without: access.presence, ..access }
    };
    #[inline(always)]
    unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns {
        // SAFETY: the caller's promise.
        RequiredColumn(unsafe { world.raw_column::<T>() })
    }
    const REPLACES: bool = W::Kind::TRACKED;
    #[inline(always)]
    unsafe fn replaced(world: WorldCell<'_, W>, word: usize, tick: u64) -> u64 {
        if !W::Kind::TRACKED {
            return 0;
        }
        // SAFETY: the caller's promise.
        unsafe { world.column::<T>() }.stamps().map_or(0, |stamps| stamps.added_since(word, tick))
    }
}

// SAFETY: who passes has no `T`.
unsafe impl<T: 'static> Filter for Without<T> {
    type Columns = ExcludedColumn;
    const VALUE: Self = Self::new();
}

// SAFETY: presence is read.
unsafe impl<T: 'static, W: Has<T>> QueryFilter<W> for Without<T> {
    const ACCESS: Access = <With<T> as QueryFilter<W>>::NEGATED;
    const NEGATED: Access = <With<T> as QueryFilter<W>>::ACCESS;
    #[inline(always)]
    unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns {
        // SAFETY: the caller's promise.
        ExcludedColumn(unsafe { world.raw_column::<T>() })
    }
}

// SAFETY: the inner filter's own.
unsafe impl<F: Filter> Filter for And<F> {
    type Columns = F::Columns;
    const VALUE: Self = Self::new();
}

// SAFETY: the inner filter's own.
unsafe impl<W: World, F: QueryFilter<W>> QueryFilter<W> for And<F> {
    const ACCESS: Access = F::ACCESS;
    const NEGATED: Access = F::NEGATED;
    #[inline(always)]
    unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns {
        // SAFETY: the caller's promise.
        unsafe { F::columns(world) }
    }
    const REPLACES: bool = F::REPLACES;
    #[inline(always)]
    unsafe fn replaced(world: WorldCell<'_, W>, word: usize, tick: u64) -> u64 {
        // SAFETY: the caller's promise.
        unsafe { F::replaced(world, word, tick) }
    }
}

// SAFETY: who does not pass the inner filter.
unsafe impl<F: Filter> Filter for Not<F> {
    type Columns = Inverted<F::Columns>;
    const VALUE: Self = Self::new();
}

// SAFETY: the inner filter's accesses, exchanged.
unsafe impl<W: World, F: QueryFilter<W>> QueryFilter<W> for Not<F> {
    const ACCESS: Access = F::NEGATED;
    const NEGATED: Access = F::ACCESS;
    #[inline(always)]
    unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns {
        // SAFETY: the caller's promise.
        Inverted(unsafe { F::columns(world) })
    }
}

macro_rules! or_tuples {
    ($($name:ident $index:tt),*) => {
        // SAFETY: who passes any of the members.
        unsafe impl<$($name: Filter),*> Filter for Or<($($name,)*)> {
            type Columns = MatchesAny<($($name::Columns,)*)>;
            const VALUE: Self = Self::new();
        }
        // SAFETY: what passes one of them has what all of them demand; what passes none fails each.
        unsafe impl<W: World, $($name: QueryFilter<W>),*> QueryFilter<W> for Or<($($name,)*)> {
            const ACCESS: Access = Access::any_of(&[$($name::ACCESS),*]);
            const NEGATED: Access = Access::NONE$(.and($name::NEGATED))*;
            #[inline(always)]
            #[allow(unused_variables, non_snake_case)]
            unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns {
                // SAFETY: the caller's promise covers every member.
                $(let $name = unsafe { $name::columns(world) };)*
                MatchesAny(($($name,)*))
            }
        }
    };
}

macro_rules! all_or_tuples {
    (@ [$($done:ident $at:tt),*]) => { or_tuples!($($done $at),*); };
    (@ [$($done:ident $at:tt),*] $name:ident $index:tt $($more:tt)*) => {
        or_tuples!($($done $at),*);
        all_or_tuples!(@ [$($done $at,)* $name $index] $($more)*);
    };
}
all_or_tuples!(@ [] A 0 B 1 C 2 D 3 E 4 G 5 H 6 I 7 J 8 K 9 L 10 M 11);
