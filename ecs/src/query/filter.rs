//! Filters: conditions on the entities that a query matches.
//!
//! Filters are types without data. [`And`], [`Or`], [`Not`] and tuples (which mean `And`) combine
//! them, nested to any depth. In a per-entity system a filter is a parameter: `_: Without<Frozen>`.
#![expect(unsafe_code, reason = "filters read the columns' bits by address")]

use core::marker::PhantomData;

use super::passed_over::Disabling;
use super::slots::{ExcludedColumn, Inverted, MatchesAny, MatchesNothing, RequiredColumn, SlotMatcher};
use crate::base::access::Access;
use crate::base::tuples::for_tuples;
use crate::component::{Component, Has};
use crate::raw_world::{RawWorld, WorldCell};
use crate::storage::kind::ColumnKind;

/// A condition on entities: [`With`], [`Without`], [`And`], [`Or`], [`Not`] and tuples of filters,
/// and for tracked components [`Changed`](super::Changed) and [`Added`](super::Added).
///
/// The trait does not depend on a world; [`QueryFilter`] is implemented for filters on components
/// that a certain world has.
///
/// ```
/// # use ecs::prelude::*;
/// # #[derive(Component)] struct Health(u32);
/// # #[derive(Component)] struct Poisoned;
/// # #[derive(Component)] struct Burning;
/// # #[derive(Component)] struct Immune;
/// # world! { struct Game { components { Health, Poisoned, Burning, Immune } } }
/// let mut game = Game::new();
/// game.spawn((Health(5), Poisoned));
/// game.spawn((Health(5), Burning, Immune));
/// let in_danger = game.query::<&Health>().filter::<(Or<(With<Poisoned>, With<Burning>)>, Without<Immune>)>();
/// assert_eq!(in_danger.len(), 1);
/// ```
///
/// # Safety
/// For an entity that passes, [`QueryFilter::ACCESS`] is right about the components that it has and
/// does not have.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a query filter",
    label = "not a filter",
    note = "filters are `With<T>`, `Without<T>`, `And<(..)>`, `Or<(..)>`, `Not<F>`, of tracked components `Changed<T>` and `Added<T>`, and tuples of them"
)]
pub unsafe trait Filter: Sized {
    /// The addresses of the columns that decide which slots pass.
    type Columns: SlotMatcher;
    /// The value of the filter as a parameter of a per-entity system.
    const VALUE: Self = panic!("nothing passes");
}

// A component by value is not a filter. This implementation lets `Query<&T, Component>` be a
// well-formed type, so that the mistake gives one message, that of `QueryFilter`, which components
// do not implement. SAFETY: no entity passes, since the columns match nothing.
#[diagnostic::do_not_recommend]
unsafe impl<T: Component> Filter for T {
    type Columns = MatchesNothing;
}

/// A [`Filter`] on components of world `W`.
///
/// # Safety
/// `ACCESS` is right about the components that entities have and do not have if they pass, and
/// `NEGATED` about those of entities that do not pass. `ACCESS` declares the components whose
/// presence or stamps the filter reads.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a query filter of world `{W}`",
    label = "not a filter of `{W}`",
    note = "filters are `With<T>`, `Without<T>`, `And<(..)>`, `Or<(..)>`, `Not<F>`, of tracked components `Changed<T>` and `Added<T>`, and tuples of them"
)]
pub unsafe trait QueryFilter<W: RawWorld>: Filter {
    /// The access of the filter: the components that it reads, and those that an entity that passes
    /// has and does not have.
    const ACCESS: Access;
    /// The access of `Not<Self>`.
    const NEGATED: Access;
    /// The columns of `world` that the filter reads.
    ///
    /// # Safety
    /// While the columns are used, no one adds or removes the components that the filter reads.
    unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns;
    /// Whether [`replaced`](Self::replaced) is implemented: if `false`, it returns 0.
    #[doc(hidden)]
    const REPLACES: bool = false;
    /// The slots of a word that pass now and did not pass all the time since `tick`, because a
    /// tracked component of them was added after `tick`.
    ///
    /// # Safety
    /// During the call no one adds or removes the components that the filter reads.
    #[doc(hidden)]
    #[inline(always)]
    unsafe fn replaced(_world: WorldCell<'_, W>, _word: usize, _tick: u64) -> u64 {
        0
    }
}

macro_rules! filter_type {
    ($(#[$doc:meta])* $name:ident<$($parameter:ident),+>) => {
        $(#[$doc])*
        pub struct $name<$($parameter),+>(PhantomData<fn() -> ($($parameter,)+)>);

        impl<$($parameter),+> $name<$($parameter),+> {
            /// The filter as a value, to call a per-entity system as a plain function.
            pub const fn new() -> Self {
                Self(PhantomData)
            }
        }

        default!([$($parameter),+] $name<$($parameter),+>);
        copy!([$($parameter),+] $name<$($parameter),+>);
        debug!([$($parameter),+] $name<$($parameter),+>, |_this, f| f.write_str(stringify!($name)));
    };
}
pub(crate) use filter_type;

filter_type! {
    /// Filter: entities that have the component `T`. The query does not access its value.
    With<T>
}
filter_type! {
    /// Filter: entities that do not have the component `T`.
    Without<T>
}
filter_type! {
    /// Filter: entities that pass every filter of the tuple `F`. `And<()>` passes every entity.
    And<F>
}
filter_type! {
    /// Filter: entities that pass at least one filter of the tuple `F`. `Or<()>` passes no entity.
    ///
    /// Two queries of one system may write the same component if their filters, `Or` included,
    /// exclude each other. The proof takes the first four `Or`s that are side by side in a query
    /// into account (an `Or` inside of another `Or` does not count as one of them). If the proof
    /// needs more, `cargo check` reports that the queries may match the same entity: split the
    /// system, or use fewer `Or`s.
    Or<F>
}
filter_type! {
    /// Filter: entities that do not pass the filter `F`.
    Not<F>
}

// SAFETY: the mask is the presence mask of `T`, so an entity that passes has `T`.
unsafe impl<T: 'static> Filter for With<T> {
    type Columns = RequiredColumn;
    const VALUE: Self = Self::new();
}

// SAFETY: `ACCESS` declares that the presence of `T` is read; an entity passes exactly if `ACCESS`
// is right about `T`.
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
        // SAFETY: the caller promises that the presence of `T` does not change while the column is
        // used.
        RequiredColumn(unsafe { world.raw_column::<T>() })
    }
    const REPLACES: bool = W::Kind::TRACKED;
    #[inline(always)]
    unsafe fn replaced(world: WorldCell<'_, W>, word: usize, tick: u64) -> u64 {
        if !W::Kind::TRACKED {
            return 0;
        }
        // SAFETY: the caller promises that no one adds or removes `T` during the call, so the
        // stamps of additions do not change.
        unsafe { world.column::<T>() }.stamps().map_or(0, |stamps| stamps.added_since(word, tick))
    }
}

// SAFETY: the mask is the complement of the presence mask of `T`, so an entity that passes does not
// have `T`.
unsafe impl<T: 'static> Filter for Without<T> {
    type Columns = ExcludedColumn;
    const VALUE: Self = Self::new();
}

// SAFETY: `ACCESS` declares that the presence of `T` is read; an entity passes exactly if `ACCESS`
// is right about `T`.
unsafe impl<T: 'static, W: Has<T>> QueryFilter<W> for Without<T> {
    const ACCESS: Access = <With<T> as QueryFilter<W>>::NEGATED;
    const NEGATED: Access = <With<T> as QueryFilter<W>>::ACCESS;
    #[inline(always)]
    unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns {
        // SAFETY: the caller promises that the presence of `T` does not change while the column is
        // used.
        ExcludedColumn(unsafe { world.raw_column::<T>() })
    }
}

/// Filter: passes every entity, and the query passes over none: it matches those that are
/// [`Disabled`](crate::component::Disabled), too.
///
/// It has this effect wherever it stands in the filter of a query. In a world without a component
/// that has `#[component(disables)]` it has none, so that systems of a library can use it in any
/// world.
#[derive(Clone, Copy, Default, Debug)]
pub struct AllowDisabled;

// SAFETY: the filter makes no claim about the components of the entities that it matches.
unsafe impl Filter for AllowDisabled {
    type Columns = ();
    const VALUE: Self = Self;
}

// SAFETY: the filter makes no claim about components, and reads none: it only names those that
// disable.
unsafe impl<W: RawWorld> QueryFilter<W> for AllowDisabled {
    const ACCESS: Access = Access { presence: Disabling::<W>::ALL, ..Access::ENTITIES };
    const NEGATED: Access = <Self as QueryFilter<W>>::ACCESS;
    #[inline(always)]
    unsafe fn columns(_: WorldCell<'_, W>) -> Self::Columns {}
}

// SAFETY: columns and access are those of the inner filter, which upholds the contract.
unsafe impl<F: Filter> Filter for And<F> {
    type Columns = F::Columns;
    const VALUE: Self = Self::new();
}

// SAFETY: columns and access are those of the inner filter, which upholds the contract.
unsafe impl<W: RawWorld, F: QueryFilter<W>> QueryFilter<W> for And<F> {
    const ACCESS: Access = F::ACCESS;
    const NEGATED: Access = F::NEGATED;
    #[inline(always)]
    unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns {
        // SAFETY: the caller makes the same promise for the same access.
        unsafe { F::columns(world) }
    }
    const REPLACES: bool = F::REPLACES;
    #[inline(always)]
    unsafe fn replaced(world: WorldCell<'_, W>, word: usize, tick: u64) -> u64 {
        // SAFETY: the caller makes the same promise for the same access.
        unsafe { F::replaced(world, word, tick) }
    }
}

// SAFETY: the mask is the complement of the inner filter's mask, so an entity that passes does not
// pass the inner filter.
unsafe impl<F: Filter> Filter for Not<F> {
    type Columns = Inverted<F::Columns>;
    const VALUE: Self = Self::new();
}

// SAFETY: an entity passes exactly if it does not pass the inner filter, so the two accesses are
// exchanged.
unsafe impl<W: RawWorld, F: QueryFilter<W>> QueryFilter<W> for Not<F> {
    const ACCESS: Access = F::NEGATED;
    const NEGATED: Access = F::ACCESS;
    #[inline(always)]
    unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns {
        // SAFETY: the inner filter reads the same components, so the caller's promise holds for it.
        Inverted(unsafe { F::columns(world) })
    }
}

macro_rules! or_tuples {
    ($($name:ident $index:tt)*) => {
        // SAFETY: the mask is the union of the members' masks, so an entity that passes passes at
        // least one member.
        unsafe impl<$($name: Filter),*> Filter for Or<($($name,)*)> {
            type Columns = MatchesAny<($($name::Columns,)*)>;
            const VALUE: Self = Self::new();
        }
        // SAFETY: an entity that passes satisfies the access of one member, which `any_of` allows
        // for; an entity that does not pass satisfies the `NEGATED` of every member.
        unsafe impl<W: RawWorld, $($name: QueryFilter<W>),*> QueryFilter<W> for Or<($($name,)*)> {
            const ACCESS: Access = Access::any_of(&[$($name::ACCESS),*]);
            const NEGATED: Access = Access::NONE$(.and($name::NEGATED))*;
            #[inline(always)]
            #[allow(unused_variables, non_snake_case)]
            unsafe fn columns(world: WorldCell<'_, W>) -> Self::Columns {
                // SAFETY: `ACCESS` contains the components of every member, so the caller's promise
                // holds for each of them.
                $(let $name = unsafe { $name::columns(world) };)*
                MatchesAny(($($name,)*))
            }
        }
    };
}

or_tuples!();
for_tuples!(or_tuples);
