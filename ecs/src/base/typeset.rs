//! Sets of components as types, with which the trait solver refuses a component that occurs twice in a bundle, or that a query
//! borrows twice, where such a query is written in a function's body.
//!
//! A set is 32 groups of 16 places. A world declares only the place of each component: `type Slot = Slot<Group3, Place5>`. This
//! slot is the index of the component in the world, as a type; it has nothing to do with the slots of entities.

use core::marker::PhantomData;

/// The place of a component in a set: a group, and a place in the group.
///
/// Both are types, not const numbers: a number in a type is a constant expression that rustc checks and evaluates for each
/// component.
pub struct Slot<G, P>(PhantomData<(G, P)>);

/// The index of a component, computed from its place.
pub trait Place {
    /// The index of the component in the world.
    const INDEX: usize;
}

/// The number of a group, or of a place in a group.
pub trait Number {
    /// The number.
    const NUMBER: usize;
}

impl<G: Number, P: Number> Place for Slot<G, P> {
    const INDEX: usize = G::NUMBER * 16 + P::NUMBER;
}

/// The place of a type that is not a component. It fits into every set, because the mistake was reported already.
pub struct NoSlot;

impl Place for NoSlot {
    const INDEX: usize = 0;
}

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
    /// The resulting set.
    type Out;
}

/// The set `S` and the component `A`, which excludes others.
///
/// The component may exclude one that the world does not have and that therefore has no place. So the set lists the components
/// that exclude others, and a component that is added later checks the list for those that it excludes. Other bundles have no such
/// entry.
pub struct Beside<S, A>(PhantomData<(S, A)>);

/// The key of the component `E` in a bundle: its number.
pub struct ByNumber<E>(PhantomData<E>);

/// A component that excludes others and has a number.
pub trait Numbered {
    /// The number, as a list of 32 bits: [`Bit0`] or [`Bit1`], and the rest.
    type Bits;
}

/// A bit of a number.
pub struct Bit0;
/// A bit of a number.
pub struct Bit1;

/// Implemented by lists of bits that differ from `B`.
pub trait Differs<B> {}
impl<A, B> Differs<(Bit1, B)> for (Bit0, A) {}
impl<A, B> Differs<(Bit0, B)> for (Bit1, A) {}
impl<A: Differs<B>, B> Differs<(Bit0, B)> for (Bit0, A) {}
impl<A: Differs<B>, B> Differs<(Bit1, B)> for (Bit1, A) {}

/// Implemented by sets that do not contain the component `E`, so that `T`, which excludes `E`, may be added. `At` is [`ByNumber`]
/// of `E`, or its [`Slot`] if `E` is generic.
#[diagnostic::on_unimplemented(
    message = "components `{E}` and `{T}` exclude each other, and are both in this bundle",
    label = "`{T}` beside `{E}`",
    note = "an entity has one of them at most: remove one of the two"
)]
pub trait Lacks<At, T: ?Sized, E: ?Sized> {}

/// The set in which `T` is borrowed shared.
#[diagnostic::on_unimplemented(
    message = "this query borrows component `{T}`, which it already borrows mutably",
    label = "the second borrow of `{T}`",
    note = "ask for `{T}` once"
)]
pub trait BorrowShared<Slot, T: ?Sized> {
    /// The resulting set.
    type Out;
}

/// The set in which `T` is borrowed mutably.
#[diagnostic::on_unimplemented(
    message = "this query borrows component `{T}` mutably, which it already borrows",
    label = "the second borrow of `{T}`",
    note = "ask for `{T}` once"
)]
pub trait BorrowUnique<Slot, T: ?Sized> {
    /// The resulting set.
    type Out;
}

/// `Put` for a place that may not be known. In code that is generic over its world, no set implements this trait for the place of
/// a component; for a known [`Slot`] a set does, if the component fits. So the two mistakes have different messages.
#[diagnostic::on_unimplemented(
    message = "this code is generic over its world, so component `{T}` is not known to differ from the others of this bundle",
    label = "this bundle needs a bound of its own",
    note = "ask for the bundle as a whole, all of its components in one tuple and in this order: `where (.., {T}): Bundle<W>`; for a `#[derive(Bundle)]` struct it is `where Name: Bundle<W>`",
    note = "`Bundle` is in the prelude, and `W` is the type parameter for the world; a bound that the compiler itself proposes below does not help"
)]
pub trait PutAt<Slot, T: ?Sized> {
    /// The resulting set.
    type Out;
}

#[diagnostic::do_not_recommend]
impl<P, T: ?Sized, S: PutAt<P, T>, A> PutAt<P, T> for Beside<S, A> {
    type Out = Beside<S::Out, A>;
}
#[diagnostic::do_not_recommend]
impl<G, P, T: ?Sized, E: ?Sized, S: Lacks<Slot<G, P>, T, E>, A> Lacks<Slot<G, P>, T, E> for Beside<S, A> {}
#[diagnostic::do_not_recommend]
impl<T: ?Sized, E: Numbered, S: Lacks<ByNumber<E>, T, E>, A: Numbered<Bits: Differs<E::Bits>>>
    Lacks<ByNumber<E>, T, E> for Beside<S, A>
{
}

/// [`BorrowShared`] for a place that may not be known: see [`PutAt`].
#[diagnostic::on_unimplemented(
    message = "this code is generic over its world, so component `{T}` is not known to differ from the others of this query",
    label = "this query needs a bound of its own",
    note = "ask for the query as a whole, all of its elements in one tuple and in this order: `where (.., &'static {T}): WorldData<W>`, with `'static` for each lifetime; for a `#[derive(Query)]` struct it is `where Name<'static>: WorldData<W>`",
    note = "the trait is `ecs::WorldData`, and `W` is the type parameter for the world; a bound that the compiler itself proposes below does not help"
)]
pub trait BorrowSharedAt<Slot, T: ?Sized> {
    /// The resulting set.
    type Out;
}

/// [`BorrowUnique`] for a place that may not be known: see [`PutAt`].
#[diagnostic::on_unimplemented(
    message = "this code is generic over its world, so component `{T}` is not known to differ from the others of this query",
    label = "this query needs a bound of its own",
    note = "ask for the query as a whole, all of its elements in one tuple and in this order: `where (.., &'static mut {T}): WorldData<W>`, with `'static` for each lifetime; for a `#[derive(Query)]` struct it is `where Name<'static>: WorldData<W>`",
    note = "the trait is `ecs::WorldData`, and `W` is the type parameter for the world; a bound that the compiler itself proposes below does not help"
)]
pub trait BorrowUniqueAt<Slot, T: ?Sized> {
    /// The resulting set.
    type Out;
}

#[doc(hidden)]
pub trait PutIn<P> {
    type Out;
}
#[doc(hidden)]
pub trait FreeIn<P> {}
#[doc(hidden)]
pub trait SharedIn<P> {
    type Out;
}
#[doc(hidden)]
pub trait UniqueIn<P> {
    type Out;
}

macro_rules! groups {
    ($([$index:literal $number:ident $name:ident])*) => {
        /// The places of a group.
        pub mod place {
            $(
                #[doc = stringify!($index)]
                pub struct $number;
                impl super::Number for $number {
                    const NUMBER: usize = $index;
                }
            )*
        }
        /// 16 places.
        pub struct Group<$($name = Free),*>(PhantomData<($($name,)*)>);
        groups!(@ [] $([$index $number $name])*);
    };
    (@ [$($before:ident)*] [$index:literal $number:ident $at:ident] $([$later:literal $next:ident $after:ident])*) => {
        impl<$($before,)* $($after),*> PutIn<place::$number> for Group<$($before,)* Free, $($after),*> {
            type Out = Group<$($before,)* Taken, $($after),*>;
        }
        impl<$($before,)* $($after),*> FreeIn<place::$number> for Group<$($before,)* Free, $($after),*> {}
        impl<$($before,)* $($after),*> UniqueIn<place::$number> for Group<$($before,)* Free, $($after),*> {
            type Out = Group<$($before,)* Unique, $($after),*>;
        }
        impl<$($before,)* $($after),*> SharedIn<place::$number> for Group<$($before,)* Free, $($after),*> {
            type Out = Group<$($before,)* Shared, $($after),*>;
        }
        impl<$($before,)* $($after),*> SharedIn<place::$number> for Group<$($before,)* Shared, $($after),*> {
            type Out = Group<$($before,)* Shared, $($after),*>;
        }
        groups!(@ [$($before)* $at] $([$later $next $after])*);
    };
    (@ [$($before:ident)*]) => {};
}

groups!([0 Place0 P0] [1 Place1 P1] [2 Place2 P2] [3 Place3 P3] [4 Place4 P4] [5 Place5 P5] [6 Place6 P6] [7 Place7 P7]
    [8 Place8 P8] [9 Place9 P9] [10 Place10 P10] [11 Place11 P11] [12 Place12 P12] [13 Place13 P13] [14 Place14 P14]
    [15 Place15 P15]);

macro_rules! sets {
    ($([$index:literal $number:ident $name:ident])*) => {
        /// The groups of a set.
        pub mod group {
            $(
                #[doc = stringify!($index)]
                pub struct $number;
                impl super::Number for $number {
                    const NUMBER: usize = $index;
                }
            )*
        }
        /// 32 groups of places.
        pub struct Set<$($name = Group),*>(PhantomData<($($name,)*)>);
        #[diagnostic::do_not_recommend]
        impl<$($name,)* T: ?Sized, E> Lacks<ByNumber<E>, T, E> for Set<$($name),*> {}
        sets!(@ [] $([$index $number $name])*);
    };
    (@ [$($before:ident)*] [$index:literal $number:ident $at:ident] $([$later:literal $next:ident $after:ident])*) => {
        #[diagnostic::do_not_recommend]
        impl<$($before,)* $at: PutIn<P>, $($after,)* P, T: ?Sized> Put<Slot<group::$number, P>, T>
            for Set<$($before,)* $at, $($after),*>
        {
            type Out = Set<$($before,)* $at::Out, $($after),*>;
        }
        #[diagnostic::do_not_recommend]
        impl<$($before,)* $at: FreeIn<P>, $($after,)* P, T: ?Sized, E: ?Sized> Lacks<Slot<group::$number, P>, T, E>
            for Set<$($before,)* $at, $($after),*>
        {
        }
        #[diagnostic::do_not_recommend]
        impl<$($before,)* $at: SharedIn<P>, $($after,)* P, T: ?Sized>
            BorrowShared<Slot<group::$number, P>, T> for Set<$($before,)* $at, $($after),*>
        {
            type Out = Set<$($before,)* $at::Out, $($after),*>;
        }
        #[diagnostic::do_not_recommend]
        impl<$($before,)* $at: UniqueIn<P>, $($after,)* P, T: ?Sized>
            BorrowUnique<Slot<group::$number, P>, T> for Set<$($before,)* $at, $($after),*>
        {
            type Out = Set<$($before,)* $at::Out, $($after),*>;
        }
        sets!(@ [$($before)* $at] $([$later $next $after])*);
    };
    (@ [$($before:ident)*]) => {};
}

sets!([0 Group0 G0] [1 Group1 G1] [2 Group2 G2] [3 Group3 G3] [4 Group4 G4] [5 Group5 G5] [6 Group6 G6] [7 Group7 G7]
    [8 Group8 G8] [9 Group9 G9] [10 Group10 G10] [11 Group11 G11] [12 Group12 G12] [13 Group13 G13] [14 Group14 G14]
    [15 Group15 G15] [16 Group16 G16] [17 Group17 G17] [18 Group18 G18] [19 Group19 G19] [20 Group20 G20]
    [21 Group21 G21] [22 Group22 G22] [23 Group23 G23] [24 Group24 G24] [25 Group25 G25] [26 Group26 G26]
    [27 Group27 G27] [28 Group28 G28] [29 Group29 G29] [30 Group30 G30] [31 Group31 G31]);

/// The empty set.
///
/// It is a type of its own, not a `Set` without components, for code that is generic over its world: the place of the first
/// component is never taken, whatever it is, and shared borrows always fit together. So a bundle or a query of one component, and
/// a query that only reads, need no bound. A `Set` is needed only if a second place must be known to differ.
pub struct Nothing;

/// The set with one component of a bundle, in the place `P`.
pub struct One<P>(PhantomData<P>);

/// The set with one component that is borrowed mutably, in the place `P`.
pub struct OneUnique<P>(PhantomData<P>);

/// The set with a component that is borrowed shared, in the place `P`, and the shared components of `Rest`.
pub struct AllShared<P, Rest>(PhantomData<(P, Rest)>);

/// A [`Set`] with two components or more, whose places are known.
///
/// This is a type of its own, because the traits for places that may be unknown cannot be implemented for every type that has the
/// traits for known places: another crate might implement those for [`Nothing`].
pub struct Several<S>(PhantomData<S>);

/// Converts components that are borrowed shared to a [`Set`]; their places must be known.
pub trait Known {
    /// The resulting set.
    type Set;
}
impl Known for Nothing {
    type Set = Set;
}
impl<G, P, Rest: Known<Set = S>, S: BorrowShared<Slot<G, P>, ()>> Known for AllShared<Slot<G, P>, Rest> {
    type Set = S::Out;
}

impl<P, T: ?Sized> PutAt<P, T> for Nothing {
    type Out = One<P>;
}
impl<G, P, H, Q, T: ?Sized, S: Put<Slot<G, P>, T>> PutAt<Slot<G, P>, T> for One<Slot<H, Q>>
where
    Set: Put<Slot<H, Q>, (), Out = S>,
{
    type Out = Several<S::Out>;
}
impl<G, P, T: ?Sized, S: Put<Slot<G, P>, T>> PutAt<Slot<G, P>, T> for Several<S> {
    type Out = Several<S::Out>;
}

impl<P, T: ?Sized> BorrowSharedAt<P, T> for Nothing {
    type Out = AllShared<P, Nothing>;
}
impl<P, T: ?Sized, First, Rest> BorrowSharedAt<P, T> for AllShared<First, Rest> {
    type Out = AllShared<P, AllShared<First, Rest>>;
}
impl<G, P, H, Q, T: ?Sized, S: BorrowShared<Slot<G, P>, T>> BorrowSharedAt<Slot<G, P>, T>
    for OneUnique<Slot<H, Q>>
where
    Set: BorrowUnique<Slot<H, Q>, (), Out = S>,
{
    type Out = Several<S::Out>;
}
impl<G, P, T: ?Sized, S: BorrowShared<Slot<G, P>, T>> BorrowSharedAt<Slot<G, P>, T> for Several<S> {
    type Out = Several<S::Out>;
}

impl<P, T: ?Sized> BorrowUniqueAt<P, T> for Nothing {
    type Out = OneUnique<P>;
}
impl<G, P, H, Q, T: ?Sized, S: BorrowUnique<Slot<G, P>, T>> BorrowUniqueAt<Slot<G, P>, T>
    for OneUnique<Slot<H, Q>>
where
    Set: BorrowUnique<Slot<H, Q>, (), Out = S>,
{
    type Out = Several<S::Out>;
}
impl<G, P, T: ?Sized, First, Rest, S: BorrowUnique<Slot<G, P>, T>> BorrowUniqueAt<Slot<G, P>, T>
    for AllShared<First, Rest>
where
    AllShared<First, Rest>: Known<Set = S>,
{
    type Out = Several<S::Out>;
}
impl<G, P, T: ?Sized, S: BorrowUnique<Slot<G, P>, T>> BorrowUniqueAt<Slot<G, P>, T> for Several<S> {
    type Out = Several<S::Out>;
}

#[diagnostic::do_not_recommend]
impl<At, T: ?Sized, E: ?Sized> Lacks<At, T, E> for Nothing {}
#[diagnostic::do_not_recommend]
impl<P, T: ?Sized, E> Lacks<ByNumber<E>, T, E> for One<P> {}
#[diagnostic::do_not_recommend]
impl<G, P, H, Q, T: ?Sized, E: ?Sized, S: Lacks<Slot<G, P>, T, E>> Lacks<Slot<G, P>, T, E> for One<Slot<H, Q>> where
    Set: Put<Slot<H, Q>, (), Out = S>
{
}
#[diagnostic::do_not_recommend]
impl<At, T: ?Sized, E: ?Sized, S: Lacks<At, T, E>> Lacks<At, T, E> for Several<S> {}

// Adding `NoSlot` does not change a set.
impl<P, T: ?Sized> PutAt<P, T> for One<NoSlot> {
    type Out = One<P>;
}
impl<H, Q, T: ?Sized> PutAt<NoSlot, T> for One<Slot<H, Q>> {
    type Out = Self;
}
impl<S, T: ?Sized> PutAt<NoSlot, T> for Several<S> {
    type Out = Self;
}
impl<Rest: Known> Known for AllShared<NoSlot, Rest> {
    type Set = Rest::Set;
}
impl<P, T: ?Sized> BorrowSharedAt<P, T> for OneUnique<NoSlot> {
    type Out = AllShared<P, Nothing>;
}
impl<H, Q, T: ?Sized> BorrowSharedAt<NoSlot, T> for OneUnique<Slot<H, Q>> {
    type Out = Self;
}
impl<S, T: ?Sized> BorrowSharedAt<NoSlot, T> for Several<S> {
    type Out = Self;
}
impl<P, T: ?Sized> BorrowUniqueAt<P, T> for OneUnique<NoSlot> {
    type Out = OneUnique<P>;
}
impl<H, Q, T: ?Sized> BorrowUniqueAt<NoSlot, T> for OneUnique<Slot<H, Q>> {
    type Out = Self;
}
impl<S, T: ?Sized> BorrowUniqueAt<NoSlot, T> for Several<S> {
    type Out = Self;
}
impl<First, Rest, T: ?Sized> BorrowUniqueAt<NoSlot, T> for AllShared<First, Rest> {
    type Out = Self;
}
