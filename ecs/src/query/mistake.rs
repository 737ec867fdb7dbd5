//! Error messages for types that users write in place of components and query data: references,
//! tuples, filters, components by value.
//!
//! References and tuples: every world has each of these types as a component, under a condition
//! that never holds. The compiler reports the missing condition, whose message says what to write;
//! without it, the error would say that the type is missing in the `world!`. The conditions are
//! traits of [`Mistakes`]: if they were traits of the world, the compiler would print the message
//! of [`Has`] instead of theirs. This does not work for types that a user could list in a `world!`:
//! such a type would have two implementations, which is a second error.
//!
//! `()`, filters, and tuples that are too long implement [`Data`], so that a query of them is a
//! well-formed type, but not [`QueryData`](super::QueryData). So each mistake gives one compile
//! error, at the query in the user's code. (`derive(Component)` does the same for components by
//! value.)
#![expect(
    unsafe_code,
    reason = "the conditions are never implemented, and a query of a mistake never matches"
)]

use super::change::{Added, Changed};
use super::data::{Data, ReadData};
use super::filter::{And, Not, Or, With, Without};
use super::slots::MatchesNothing;
use crate::base::typeset::NoIndex;
use crate::component::Has;
use crate::component::kind::AnyKind;
use crate::raw_world::RawWorld;
use crate::storage::column::Column;

/// The type for which the conditions of this module could be implemented. None is.
pub struct Mistakes;

/// A component is query data by value. `derive(Component)` implements `QueryData` under this
/// condition.
///
/// # Safety
/// It is never implemented: the query would have no columns.
#[diagnostic::on_unimplemented(
    message = "`{T}` is a component, which a query borrows: write `&{T}`, or `&mut {T}` to change it",
    label = "not borrowed"
)]
pub unsafe trait NamedByValue<T, W> {}

/// A schedule of parts is a system.
///
/// # Safety
/// It is never implemented: the systems of the schedule would not run.
#[diagnostic::on_unimplemented(
    message = "`{T}` is a schedule of parts, and no system: write `include {T}`",
    label = "write `include` before it"
)]
pub unsafe trait ScheduleAsSystem<T, W> {}

/// A system with inputs is a step without them.
///
/// # Safety
/// It is never implemented: the system would run without its inputs.
#[diagnostic::on_unimplemented(
    message = "system `{T}` has an input: a schedule names it as `{T}(value)`, or `source | {T}`; `run_with::<{T}>(value)` runs it",
    label = "the input is missing"
)]
pub unsafe trait SystemWithoutInput<T, W> {}

/// `&mut T` only reads. Without this condition rustc would propose to query the component by value.
///
/// # Safety
/// It is never implemented: the world is borrowed shared.
#[diagnostic::on_unimplemented(
    message = "`&mut {T}` borrows mutably, and the world is borrowed shared: write `query_mut`",
    label = "needs a mutable borrow of the world"
)]
pub unsafe trait ReadThroughMut<T> {}

// SAFETY: `Mistakes` never implements the condition.
unsafe impl<T: 'static> ReadData for &mut T where Mistakes: ReadThroughMut<T> {}

macro_rules! no_component {
    ($(
        $(#[doc = $doc:literal])*
        #[diagnostic::on_unimplemented($($message:tt)*)]
        $condition:ident: $([$($parameter:ident)*] $mistake:ty;)*
    )*) => {$(
        $(#[doc = $doc])*
        ///
        /// # Safety
        /// It is never implemented: a world would have a component without a column.
        #[diagnostic::on_unimplemented($($message)*)]
        pub unsafe trait $condition<T, W> {}

        $(
            // SAFETY: `Mistakes` never implements the condition.
            unsafe impl<W: RawWorld $(, $parameter: 'static)*> Has<$mistake> for W
            where
                Mistakes: $condition<$mistake, W>,
            {
                type TypeIndex = NoIndex;
                type Kind = AnyKind;
                unsafe fn __column_ptr(_: *mut W) -> *mut Column<$mistake> {
                    unreachable!("no world has this component")
                }
            }
        )*
    )*};
}

no_component! {
    /// `&T` is a component.
    #[diagnostic::on_unimplemented(
        message = "`{T}` is a reference, which is not a component of world `{W}`: name the component without `&` here",
        label = "write it without the `&`"
    )]
    NamedReference: [A] &'static A;
    /// `&mut T` is a component.
    #[diagnostic::on_unimplemented(
        message = "`{T}` is a reference, which is not a component of world `{W}`: name the component without `&mut` here; `get_mut` changes a value",
        label = "write it without the `&mut`; `get_mut` in place of `get` to change the value"
    )]
    NamedReferenceMut: [A] &'static mut A;
    /// A tuple is a component.
    #[diagnostic::on_unimplemented(
        message = "`{T}` is a tuple, which is not a component of world `{W}`: name one component here",
        label = "names several components",
        note = "call the method once for each component, or use one query: `query::<(&A, &B)>().get(entity)`"
    )]
    NamedTuple:
        [] ();
        [A] (A,);
        [A B] (A, B);
        [A B C] (A, B, C);
        [A B C D] (A, B, C, D);
        [A B C D E] (A, B, C, D, E);
        [A B C D E F] (A, B, C, D, E, F);
        [A B C D E F G] (A, B, C, D, E, F, G);
        [A B C D E F G H] (A, B, C, D, E, F, G, H);
}

macro_rules! no_query_data {
    ($([$($parameter:ident)*] $mistake:ty;)*) => {$(
        // SAFETY: the columns match no slot, so no item is ever made.
        unsafe impl<$($parameter),*> Data for $mistake {
            type Columns = MatchesNothing;
            type Base = ();
            type Item<'q> = ();
            type ReadOnly = Self;
        }
        // SAFETY: the item is `()`.
        unsafe impl<$($parameter),*> ReadData for $mistake {}
    )*};
}

no_query_data! {
    [] ();
    [T] With<T>;
    [T] Without<T>;
    [T] Changed<T>;
    [T] Added<T>;
    [F] And<F>;
    [F] Or<F>;
    [F] Not<F>;
    [A B C D E F G H I J K L M] (A, B, C, D, E, F, G, H, I, J, K, L, M);
    [A B C D E F G H I J K L M N] (A, B, C, D, E, F, G, H, I, J, K, L, M, N);
}
