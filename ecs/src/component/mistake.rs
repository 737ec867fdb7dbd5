//! Error messages for types that are used as a component but cannot be one: references and tuples.
//!
//! Each of these types counts as a component of every world, with a kind of [`Mistake`]. Each kind of mistake has a condition that
//! is never implemented. The compiler reports the missing condition, whose message says what to write; without it, the error would
//! say that the type is missing in the `world!`. This does not work for types that a user could list in a `world!`: such a type would
//! have two implementations, which is a second error.
#![expect(unsafe_code, reason = "the conditions under which a mistake is a component are never implemented")]

use super::kind::AnyKind;
use super::{ContainsComponent, WorldComponents};
use crate::base::typeset::NoIndex;
use crate::storage::column::Column;
use crate::world::World;

/// A type that cannot be a component of any world, with the kind of mistake of using it as one.
pub trait NamesMistake<W: World>: 'static {
    /// The kind of mistake.
    type Mistake: Mistake;
}

/// A kind of mistake: one of the types of this module, except for [`ListedComponent`].
pub trait Mistake: SealedMistake {}

/// Seals [`Mistake`]: only types of this module implement it.
pub trait SealedMistake {}

/// Stands in the place of a mistake for a component that the world lists.
pub struct ListedComponent;

/// Implemented for [`ListedComponent`], and for mistakes under conditions that never hold.
pub trait NoMistake<T, W> {}
impl<T, W> NoMistake<T, W> for ListedComponent {}

// SAFETY: the contract concerns only implementations in which `Is` is `ListedComponent`; `T::Mistake` is another type, since `Mistake`
// is sealed. `do_not_recommend`: if a component is missing in the `world!`, rustc must not suggest that it should be a mistake.
#[diagnostic::do_not_recommend]
unsafe impl<T: 'static, W: World> ContainsComponent<T, W> for WorldComponents
where
    T: NamesMistake<W>,
{
    type Is = T::Mistake;
    type TypeIndex = NoIndex;
    type Kind = AnyKind;
    unsafe fn __column_ptr(_: *mut W) -> *mut Column<T> {
        unreachable!("no world has this component")
    }
}

macro_rules! kinds {
    ($($(#[doc = $doc:literal])* #[diagnostic::on_unimplemented($($message:tt)*)] $kind:ident, $condition:ident;)*) => {$(
        $(#[doc = $doc])*
        pub struct $kind;
        impl SealedMistake for $kind {}
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
        message = "`{T}` is a reference, which is not a component of world `{W}`: name the component without `&` here",
        label = "write it without the `&`"
    )]
    IsReference, NamedReference;
    /// `&mut T` is not a component.
    #[diagnostic::on_unimplemented(
        message = "`{T}` is a reference, which is not a component of world `{W}`: name the component without `&mut` here",
        label = "write it without the `&mut`"
    )]
    IsReferenceMut, NamedReferenceMut;
    /// A tuple is not a component.
    #[diagnostic::on_unimplemented(
        message = "`{T}` is a tuple, which is not a component of world `{W}`: name one component here",
        label = "names several components",
        note = "call the method once for each component, or use one query: `query::<(&A, &B)>().get(entity)`"
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
