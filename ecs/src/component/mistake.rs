//! Types that are named in the place of a component and are none: a reference, a tuple.
//!
//! Such a type counts as a component of every world, and as a [`Mistake`]. Each kind of mistake is accepted under a condition that
//! never holds, so that the compiler reports the condition, whose message says what to write, and not that the type is missing in
//! the `world!`. The types of a user are not told apart in this way: a type that is listed in a `world!` and counts as a mistake would
//! be implemented twice, which is a second error.
#![expect(unsafe_code, reason = "the conditions under which a mistake is a component never hold")]

use super::kind::AnyKind;
use super::{ContainsComponent, WorldComponents};
use crate::base::typeset::NoSlot;
use crate::storage::column::Column;
use crate::world::World;

/// A type that is no component of any world, and is named as if it were one.
pub trait NamesMistake<W: World>: 'static {
    /// Which mistake it is.
    type Mistake: Mistake;
}

/// The kinds of mistakes: those of this module, none of which is [`ListedComponent`].
pub trait Mistake: Sealed {}

/// Implemented by the types of this module.
pub trait Sealed {}

/// What a component is that the world lists.
pub struct ListedComponent;

/// That a type is no mistake, but [`ListedComponent`].
pub trait NoMistake<T, W> {}
impl<T, W> NoMistake<T, W> for ListedComponent {}

// SAFETY: `Is` is not `ListedComponent`, so that nothing is promised. The implementation is not recommended: where a type is missing in the
// `world!`, it would not help if it were a mistake.
#[diagnostic::do_not_recommend]
unsafe impl<T: 'static, W: World> ContainsComponent<T, W> for WorldComponents
where
    T: NamesMistake<W>,
{
    type Is = T::Mistake;
    type Slot = NoSlot;
    type Kind = AnyKind;
    unsafe fn __column_ptr(_: *mut W) -> *mut Column<T> {
        unreachable!("no world has this component")
    }
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* #[diagnostic::on_unimplemented($($message:tt)*)] $kind:ident, $condition:ident;)*) => {$(
        $(#[doc = $doc])*
        pub struct $kind;
        impl Sealed for $kind {}
        impl Mistake for $kind {}
        impl<T, W> NoMistake<T, W> for $kind where WorldComponents: $condition<T, W> {}

        /// The condition of this mistake, which never holds.
        ///
        /// # Safety
        /// It is never implemented: a world would have a component without a column.
        #[diagnostic::on_unimplemented($($message)*)]
        pub unsafe trait $condition<T, W> {}
    )*};
}

kinds! {
    /// `&T` is not a component.
    #[diagnostic::on_unimplemented(
        message = "`{T}` is a reference, and no component of world `{W}`: a component is named without `&` here",
        label = "write it without the `&`"
    )]
    IsReference, NamedReference;
    /// `&mut T` is not a component.
    #[diagnostic::on_unimplemented(
        message = "`{T}` is a reference, and no component of world `{W}`: a component is named without `&mut` here",
        label = "write it without the `&mut`"
    )]
    IsReferenceMut, NamedReferenceMut;
    /// A tuple is not a component.
    #[diagnostic::on_unimplemented(
        message = "`{T}` is a tuple, and no component of world `{W}`: one component is named here",
        label = "names several components",
        note = "ask for each of them by itself; or in one query, `query::<(&A, &B)>().get(entity)`"
    )]
    IsTuple, NamedTuple;
}

macro_rules! mistakes {
    ($([$($parameter:ident)*] $mistake:ty: $kind:ident;)*) => {$(
        impl<W: World $(, $parameter: 'static)*> NamesMistake<W> for $mistake {
            type Mistake = $kind;
        }
    )*};
}

mistakes! {
    [T] &'static T: IsReference;
    [T] &'static mut T: IsReferenceMut;
    [] (): IsTuple;
    [A] (A,): IsTuple;
    [A B] (A, B): IsTuple;
    [A B C] (A, B, C): IsTuple;
    [A B C D] (A, B, C, D): IsTuple;
    [A B C D E] (A, B, C, D, E): IsTuple;
    [A B C D E F] (A, B, C, D, E, F): IsTuple;
    [A B C D E F G] (A, B, C, D, E, F, G): IsTuple;
    [A B C D E F G H] (A, B, C, D, E, F, G, H): IsTuple;
}
