//! Sets of components as types, so that the trait solver refuses a component that occurs twice in a bundle or is
//! borrowed twice by a query that is written at the place of its use.
//!
//! A set is 32 groups of 16 places. A world only says which place a component has: `type Slot = Slot<3, 5>`.

use core::marker::PhantomData;

/// The place of a component: its group, and its place in the group.
pub struct Slot<const GROUP: usize, const PLACE: usize>;

/// A place that is not taken.
pub struct Free;
/// A place that is taken by a component of a bundle.
pub struct Taken;
/// A place that is borrowed shared.
pub struct Shared;
/// A place that is borrowed mutably.
pub struct Unique;

/// The set with `T` in the place `Slot`.
#[diagnostic::on_unimplemented(
    message = "component `{T}` occurs twice in this bundle",
    label = "the second `{T}`",
    note = "an entity holds one value of each component: remove one of the two"
)]
pub trait Put<Slot, T: ?Sized> {
    /// That set.
    type Out;
}

/// The set in which `T` is borrowed shared.
#[diagnostic::on_unimplemented(
    message = "this query borrows component `{T}`, which it already borrows mutably",
    label = "the second borrow of `{T}`",
    note = "ask for `{T}` once"
)]
pub trait BorrowShared<Slot, T: ?Sized> {
    /// That set.
    type Out;
}

/// The set in which `T` is borrowed mutably.
#[diagnostic::on_unimplemented(
    message = "this query borrows component `{T}` mutably, which it already borrows",
    label = "the second borrow of `{T}`",
    note = "ask for `{T}` once"
)]
pub trait BorrowUnique<Slot, T: ?Sized> {
    /// That set.
    type Out;
}

#[doc(hidden)]
pub trait PutIn<const PLACE: usize> {
    type Out;
}
#[doc(hidden)]
pub trait SharedIn<const PLACE: usize> {
    type Out;
}
#[doc(hidden)]
pub trait UniqueIn<const PLACE: usize> {
    type Out;
}

macro_rules! groups {
    ($([$index:literal $name:ident])*) => {
        /// 16 places.
        pub struct Group<$($name = Free),*>(PhantomData<($($name,)*)>);
        groups!(@ [] $([$index $name])*);
    };
    (@ [$($before:ident)*] [$index:literal $at:ident] $([$later:literal $after:ident])*) => {
        impl<$($before,)* $($after),*> PutIn<$index> for Group<$($before,)* Free, $($after),*> {
            type Out = Group<$($before,)* Taken, $($after),*>;
        }
        impl<$($before,)* $($after),*> UniqueIn<$index> for Group<$($before,)* Free, $($after),*> {
            type Out = Group<$($before,)* Unique, $($after),*>;
        }
        impl<$($before,)* $($after),*> SharedIn<$index> for Group<$($before,)* Free, $($after),*> {
            type Out = Group<$($before,)* Shared, $($after),*>;
        }
        impl<$($before,)* $($after),*> SharedIn<$index> for Group<$($before,)* Shared, $($after),*> {
            type Out = Group<$($before,)* Shared, $($after),*>;
        }
        groups!(@ [$($before)* $at] $([$later $after])*);
    };
    (@ [$($before:ident)*]) => {};
}

groups!([0 P0] [1 P1] [2 P2] [3 P3] [4 P4] [5 P5] [6 P6] [7 P7] [8 P8] [9 P9] [10 P10] [11 P11] [12 P12] [13 P13]
    [14 P14] [15 P15]);

macro_rules! sets {
    ($([$index:literal $name:ident])*) => {
        /// 32 groups of places.
        pub struct Set<$($name = Group),*>(PhantomData<($($name,)*)>);
        sets!(@ [] $([$index $name])*);
    };
    (@ [$($before:ident)*] [$index:literal $at:ident] $([$later:literal $after:ident])*) => {
        #[diagnostic::do_not_recommend]
        impl<$($before,)* $at: PutIn<PLACE>, $($after,)* const PLACE: usize, T: ?Sized> Put<Slot<$index, PLACE>, T>
            for Set<$($before,)* $at, $($after),*>
        {
            type Out = Set<$($before,)* $at::Out, $($after),*>;
        }
        #[diagnostic::do_not_recommend]
        impl<$($before,)* $at: SharedIn<PLACE>, $($after,)* const PLACE: usize, T: ?Sized>
            BorrowShared<Slot<$index, PLACE>, T> for Set<$($before,)* $at, $($after),*>
        {
            type Out = Set<$($before,)* $at::Out, $($after),*>;
        }
        #[diagnostic::do_not_recommend]
        impl<$($before,)* $at: UniqueIn<PLACE>, $($after,)* const PLACE: usize, T: ?Sized>
            BorrowUnique<Slot<$index, PLACE>, T> for Set<$($before,)* $at, $($after),*>
        {
            type Out = Set<$($before,)* $at::Out, $($after),*>;
        }
        sets!(@ [$($before)* $at] $([$later $after])*);
    };
    (@ [$($before:ident)*]) => {};
}

sets!([0 G0] [1 G1] [2 G2] [3 G3] [4 G4] [5 G5] [6 G6] [7 G7] [8 G8] [9 G9] [10 G10] [11 G11] [12 G12] [13 G13]
    [14 G14] [15 G15] [16 G16] [17 G17] [18 G18] [19 G19] [20 G20] [21 G21] [22 G22] [23 G23] [24 G24] [25 G25]
    [26 G26] [27 G27] [28 G28] [29 G29] [30 G30] [31 G31]);

/// The empty set.
pub type Nothing = Set;
