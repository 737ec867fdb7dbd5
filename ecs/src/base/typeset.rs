//! Sets of components as types, with which the trait solver refuses a component that occurs twice
//! in a bundle, or that a query borrows twice, where such a query is written in a function's body.
//!
//! A set is 32 groups of 16 members. A world declares only the index of each component, as a type:
//! `type TypeIndex = TypeIndex<Group3, Member5>`.

use core::marker::PhantomData;

/// The index of a component in its world, as a type: a group, and a member of the group.
///
/// Both are types, not const numbers: rustc checks and evaluates a number in a type as a constant
/// expression, for each component.
pub struct TypeIndex<G, P>(PhantomData<(G, P)>);

/// A type that stands for a number: the index of a component in its world, the number of a group,
/// or that of a member in a group.
pub trait ConstIndex {
    /// The number.
    const INDEX: usize;
}

impl<G: ConstIndex, P: ConstIndex> ConstIndex for TypeIndex<G, P> {
    const INDEX: usize = G::INDEX * 16 + P::INDEX;
}

/// The index of a type that is not a component. It fits into every set, because the mistake was
/// reported already.
pub struct NoIndex;

impl ConstIndex for NoIndex {
    const INDEX: usize = 0;
}

/// The set lacks the component of this member.
pub struct Free;
/// The bundle contains the component of this member.
pub struct Taken;
/// The query borrows the component of this member shared.
pub struct Borrowed;
/// The query borrows the component of this member mutably.
pub struct BorrowedMut;

/// Adds the component `T`, which has the index `Index`, to a bundle. Code that is generic over its
/// world does not know the index, and no set but [`EmptySet`] implements this trait for it. For a
/// known [`TypeIndex`] every set implements it. So the two mistakes have different messages.
#[diagnostic::on_unimplemented(
    message = "this code is generic over its world, so component `{T}` is not known to differ from the others of this bundle",
    label = "this bundle needs a bound of its own",
    note = "ask for the bundle as a whole, all of its components in one tuple and in this order: `where (.., {T}): Bundle<W>`; for a `#[derive(Bundle)]` struct it is `where Name: Bundle<W>`",
    note = "`Bundle` is in the prelude, and `W` is the type parameter for the world; a bound that the compiler itself proposes below does not help"
)]
pub trait PutAt<Index, T: ?Sized> {
    /// The resulting set.
    type Out;
    /// `Taken` if the set had the component, and else `Free`.
    type Found;
}

/// Implemented for `Free`: the bundle does not have the component `T` yet.
#[diagnostic::on_unimplemented(
    message = "component `{T}` occurs twice in this bundle",
    label = "the second `{T}`",
    note = "an entity holds one value of each component: remove one of the two"
)]
pub trait OccursOnce<T: ?Sized> {}
#[diagnostic::do_not_recommend]
impl<T: ?Sized> OccursOnce<T> for Free {}

/// The set `S` and the component `A`, which excludes others.
///
/// A component may exclude one that the world does not have and that therefore has no index. So the
/// set lists the components that exclude others, and a component that is added later checks the
/// list for those that it excludes. Bundles without exclusions have no such entries.
pub struct WithExclusion<S, A>(PhantomData<(S, A)>);

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

/// Compares lists of bits: `Out` is `Taken` if the list is `B`, and else `Other`.
pub trait Compare<B, Other> {
    /// The result.
    type Out;
}
impl<Other> Compare<(), Other> for () {
    type Out = Taken;
}
impl<A, B, Other> Compare<(Bit1, B), Other> for (Bit0, A) {
    type Out = Other;
}
impl<A, B, Other> Compare<(Bit0, B), Other> for (Bit1, A) {
    type Out = Other;
}
impl<A: Compare<B, Other>, B, Other> Compare<(Bit0, B), Other> for (Bit0, A) {
    type Out = A::Out;
}
impl<A: Compare<B, Other>, B, Other> Compare<(Bit1, B), Other> for (Bit1, A) {
    type Out = A::Out;
}

/// Looks for an excluded component in a set. `At` is [`ByNumber`] of it, or its [`TypeIndex`] if it
/// is generic.
pub trait Find<At> {
    /// `Taken` if the set has the component, and else `Free`.
    type Found;
}

/// Implemented for `Free`: the bundle does not have the component `E`, so that `T`, which
/// excludes `E`, may be added.
#[diagnostic::on_unimplemented(
    message = "components `{E}` and `{T}` exclude each other, and are both in this bundle",
    label = "`{T}` beside `{E}`",
    note = "an entity has one of them at most: remove one of the two"
)]
pub trait Lacks<T: ?Sized, E: ?Sized> {}
#[diagnostic::do_not_recommend]
impl<T: ?Sized, E: ?Sized> Lacks<T, E> for Free {}

/// Adds a shared borrow of the component `T`, which has the index `Index`.
#[diagnostic::on_unimplemented(
    message = "this query borrows component `{T}`, which it already borrows mutably",
    label = "the second borrow of `{T}`",
    note = "ask for `{T}` once"
)]
pub trait BorrowShared<Index, T: ?Sized> {
    /// The resulting set.
    type Out;
}

/// Adds a mutable borrow of the component `T`, which has the index `Index`.
#[diagnostic::on_unimplemented(
    message = "this query borrows component `{T}` mutably, which it already borrows",
    label = "the second borrow of `{T}`",
    note = "ask for `{T}` once"
)]
pub trait BorrowUnique<Index, T: ?Sized> {
    /// The resulting set.
    type Out;
}

#[diagnostic::do_not_recommend]
impl<I, T: ?Sized, S: PutAt<I, T>, A> PutAt<I, T> for WithExclusion<S, A> {
    type Out = WithExclusion<S::Out, A>;
    type Found = S::Found;
}
impl<G, P, S: Find<TypeIndex<G, P>>, A> Find<TypeIndex<G, P>> for WithExclusion<S, A> {
    type Found = S::Found;
}
impl<E: Numbered, S: Find<ByNumber<E>>, A: Numbered<Bits: Compare<E::Bits, S::Found>>> Find<ByNumber<E>>
    for WithExclusion<S, A>
{
    type Found = <A::Bits as Compare<E::Bits, S::Found>>::Out;
}

/// [`BorrowShared`] for an index that may be unknown. Code that is generic over its world does not
/// know the index, and no set implements this trait for it. For a known [`TypeIndex`] a set
/// implements it if the borrow fits. So the two mistakes have different messages.
#[diagnostic::on_unimplemented(
    message = "this code is generic over its world, so component `{T}` is not known to differ from the others of this query",
    label = "this query needs a bound of its own",
    note = "ask for the query as a whole, all of its elements in one tuple and in this order: `where (.., &'static {T}): WorldData<W>`, with `'static` for each lifetime; for a `#[derive(Query)]` struct it is `where Name<'static>: WorldData<W>`",
    note = "the trait is `ecs::WorldData`, and `W` is the type parameter for the world; a bound that the compiler itself proposes below does not help"
)]
pub trait BorrowSharedAt<Index, T: ?Sized> {
    /// The resulting set.
    type Out;
}

/// [`BorrowUnique`] for an index that may be unknown: see [`BorrowSharedAt`].
#[diagnostic::on_unimplemented(
    message = "this code is generic over its world, so component `{T}` is not known to differ from the others of this query",
    label = "this query needs a bound of its own",
    note = "ask for the query as a whole, all of its elements in one tuple and in this order: `where (.., &'static mut {T}): WorldData<W>`, with `'static` for each lifetime; for a `#[derive(Query)]` struct it is `where Name<'static>: WorldData<W>`",
    note = "the trait is `ecs::WorldData`, and `W` is the type parameter for the world; a bound that the compiler itself proposes below does not help"
)]
pub trait BorrowUniqueAt<Index, T: ?Sized> {
    /// The resulting set.
    type Out;
}

/// Adds a component of a bundle to a group: see [`PutAt`].
pub trait PutIn<P> {
    /// The resulting group.
    type Out;
    /// See [`PutAt::Found`].
    type Found;
}
/// Adds a shared borrow to a group.
pub trait SharedIn<P> {
    /// The resulting group.
    type Out;
}
/// Adds a mutable borrow to a group.
pub trait UniqueIn<P> {
    /// The resulting group.
    type Out;
}

macro_rules! numbers {
    ($(#[doc = $doc:literal])* $module:ident: $($index:literal $number:ident)*) => {
        $(#[doc = $doc])*
        pub mod $module {
            $(
                #[doc = stringify!($index)]
                pub struct $number;
                impl super::ConstIndex for $number {
                    const INDEX: usize = $index;
                }
            )*
        }
    };
}

macro_rules! groups {
    ($([$index:literal $number:ident $name:ident])*) => {
        numbers! {
            /// The numbers of the members of a group.
            member: $($index $number)*
        }
        /// 16 members of a set.
        pub struct TypeGroup<$($name = Free),*>(PhantomData<($($name,)*)>);
        groups!(@ [] $([$index $number $name])*);
    };
    (@ [$($before:ident)*] [$index:literal $number:ident $at:ident] $([$later:literal $next:ident $after:ident])*) => {
        impl<$($before,)* $($after),*> PutIn<member::$number> for TypeGroup<$($before,)* Free, $($after),*> {
            type Out = TypeGroup<$($before,)* Taken, $($after),*>;
            type Found = Free;
        }
        impl<$($before,)* $($after),*> PutIn<member::$number> for TypeGroup<$($before,)* Taken, $($after),*> {
            type Out = Self;
            type Found = Taken;
        }
        impl<$($before,)* $($after),*> UniqueIn<member::$number> for TypeGroup<$($before,)* Free, $($after),*> {
            type Out = TypeGroup<$($before,)* BorrowedMut, $($after),*>;
        }
        impl<$($before,)* $($after),*> SharedIn<member::$number> for TypeGroup<$($before,)* Free, $($after),*> {
            type Out = TypeGroup<$($before,)* Borrowed, $($after),*>;
        }
        impl<$($before,)* $($after),*> SharedIn<member::$number> for TypeGroup<$($before,)* Borrowed, $($after),*> {
            type Out = TypeGroup<$($before,)* Borrowed, $($after),*>;
        }
        groups!(@ [$($before)* $at] $([$later $next $after])*);
    };
    (@ [$($before:ident)*]) => {};
}

groups!([0 Member0 P0] [1 Member1 P1] [2 Member2 P2] [3 Member3 P3] [4 Member4 P4] [5 Member5 P5] [6 Member6 P6] [7 Member7 P7]
    [8 Member8 P8] [9 Member9 P9] [10 Member10 P10] [11 Member11 P11] [12 Member12 P12] [13 Member13 P13] [14 Member14 P14]
    [15 Member15 P15]);

macro_rules! sets {
    ($([$index:literal $number:ident $name:ident])*) => {
        numbers! {
            /// The numbers of the groups of a set.
            group: $($index $number)*
        }
        /// A set of components: 32 groups of members.
        pub struct TypeSet<$($name = TypeGroup),*>(PhantomData<($($name,)*)>);
        sets!(@ [] $([$index $number $name])*);
    };
    (@ [$($before:ident)*] [$index:literal $number:ident $at:ident] $([$later:literal $next:ident $after:ident])*) => {
        impl<$($before,)* $at: PutIn<P>, $($after,)* P, T: ?Sized> PutAt<TypeIndex<group::$number, P>, T>
            for TypeSet<$($before,)* $at, $($after),*>
        {
            type Out = TypeSet<$($before,)* $at::Out, $($after),*>;
            type Found = $at::Found;
        }
        #[diagnostic::do_not_recommend]
        impl<$($before,)* $at: SharedIn<P>, $($after,)* P, T: ?Sized>
            BorrowShared<TypeIndex<group::$number, P>, T> for TypeSet<$($before,)* $at, $($after),*>
        {
            type Out = TypeSet<$($before,)* $at::Out, $($after),*>;
        }
        #[diagnostic::do_not_recommend]
        impl<$($before,)* $at: UniqueIn<P>, $($after,)* P, T: ?Sized>
            BorrowUnique<TypeIndex<group::$number, P>, T> for TypeSet<$($before,)* $at, $($after),*>
        {
            type Out = TypeSet<$($before,)* $at::Out, $($after),*>;
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
/// It is a separate type, not a `TypeSet` without components, for code that is generic over its
/// world. The first component of a set is never a duplicate, whatever its index is, and shared
/// borrows never conflict. So a bundle or a query of one component, and a query that only reads,
/// need no bound. A `TypeSet` is needed only to tell two indices apart.
pub struct EmptySet;

/// The set with one component of a bundle, which has the index `P`.
pub struct OneMember<P>(PhantomData<P>);

/// The set with one mutable borrow, of the component with the index `P`.
pub struct OneBorrowedMut<P>(PhantomData<P>);

/// The set with a shared borrow of the component with the index `P`, and the shared borrows of
/// `Rest`.
pub struct AllBorrowed<P, Rest>(PhantomData<(P, Rest)>);

/// A [`TypeSet`] with two components or more and known indices.
///
/// This is a separate type, because the traits for indices that may be unknown cannot be
/// implemented for every type that has the traits for known indices: another crate might implement
/// those for [`EmptySet`].
pub struct KnownSet<S>(PhantomData<S>);

/// Converts shared borrows to a [`TypeSet`]. The indices must be known.
pub trait ToTypeSet {
    /// The resulting set.
    type Set;
}
impl ToTypeSet for EmptySet {
    type Set = TypeSet;
}
impl<G, P, Rest: ToTypeSet<Set = S>, S: BorrowShared<TypeIndex<G, P>, ()>> ToTypeSet
    for AllBorrowed<TypeIndex<G, P>, Rest>
{
    type Set = S::Out;
}

impl<P, T: ?Sized> PutAt<P, T> for EmptySet {
    type Out = OneMember<P>;
    type Found = Free;
}
impl<G, P, H, Q, T: ?Sized, S: PutAt<TypeIndex<G, P>, T>> PutAt<TypeIndex<G, P>, T>
    for OneMember<TypeIndex<H, Q>>
where
    TypeSet: PutAt<TypeIndex<H, Q>, (), Out = S>,
{
    type Out = KnownSet<S::Out>;
    type Found = S::Found;
}
impl<G, P, T: ?Sized, S: PutAt<TypeIndex<G, P>, T>> PutAt<TypeIndex<G, P>, T> for KnownSet<S> {
    type Out = KnownSet<S::Out>;
    type Found = S::Found;
}

impl<P, T: ?Sized> BorrowSharedAt<P, T> for EmptySet {
    type Out = AllBorrowed<P, EmptySet>;
}
impl<P, T: ?Sized, First, Rest> BorrowSharedAt<P, T> for AllBorrowed<First, Rest> {
    type Out = AllBorrowed<P, AllBorrowed<First, Rest>>;
}
impl<G, P, H, Q, T: ?Sized, S: BorrowShared<TypeIndex<G, P>, T>> BorrowSharedAt<TypeIndex<G, P>, T>
    for OneBorrowedMut<TypeIndex<H, Q>>
where
    TypeSet: BorrowUnique<TypeIndex<H, Q>, (), Out = S>,
{
    type Out = KnownSet<S::Out>;
}
impl<G, P, T: ?Sized, S: BorrowShared<TypeIndex<G, P>, T>> BorrowSharedAt<TypeIndex<G, P>, T>
    for KnownSet<S>
{
    type Out = KnownSet<S::Out>;
}

impl<P, T: ?Sized> BorrowUniqueAt<P, T> for EmptySet {
    type Out = OneBorrowedMut<P>;
}
impl<G, P, H, Q, T: ?Sized, S: BorrowUnique<TypeIndex<G, P>, T>> BorrowUniqueAt<TypeIndex<G, P>, T>
    for OneBorrowedMut<TypeIndex<H, Q>>
where
    TypeSet: BorrowUnique<TypeIndex<H, Q>, (), Out = S>,
{
    type Out = KnownSet<S::Out>;
}
impl<G, P, T: ?Sized, First, Rest, S: BorrowUnique<TypeIndex<G, P>, T>> BorrowUniqueAt<TypeIndex<G, P>, T>
    for AllBorrowed<First, Rest>
where
    AllBorrowed<First, Rest>: ToTypeSet<Set = S>,
{
    type Out = KnownSet<S::Out>;
}
impl<G, P, T: ?Sized, S: BorrowUnique<TypeIndex<G, P>, T>> BorrowUniqueAt<TypeIndex<G, P>, T>
    for KnownSet<S>
{
    type Out = KnownSet<S::Out>;
}

impl<At> Find<At> for EmptySet {
    type Found = Free;
}
impl<P, E> Find<ByNumber<E>> for OneMember<P> {
    type Found = Free;
}
impl<S, E> Find<ByNumber<E>> for KnownSet<S> {
    type Found = Free;
}
impl<G, P, Q> Find<TypeIndex<G, P>> for OneMember<Q>
where
    Self: PutAt<TypeIndex<G, P>, ()>,
{
    type Found = <Self as PutAt<TypeIndex<G, P>, ()>>::Found;
}
impl<G, P, S: PutAt<TypeIndex<G, P>, ()>> Find<TypeIndex<G, P>> for KnownSet<S> {
    type Found = S::Found;
}

// Adding `NoIndex` does not change a set.
impl<P, T: ?Sized> PutAt<P, T> for OneMember<NoIndex> {
    type Out = OneMember<P>;
    type Found = Free;
}
impl<H, Q, T: ?Sized> PutAt<NoIndex, T> for OneMember<TypeIndex<H, Q>> {
    type Out = Self;
    type Found = Free;
}
impl<S, T: ?Sized> PutAt<NoIndex, T> for KnownSet<S> {
    type Out = Self;
    type Found = Free;
}
impl<Rest: ToTypeSet> ToTypeSet for AllBorrowed<NoIndex, Rest> {
    type Set = Rest::Set;
}
impl<P, T: ?Sized> BorrowSharedAt<P, T> for OneBorrowedMut<NoIndex> {
    type Out = AllBorrowed<P, EmptySet>;
}
impl<H, Q, T: ?Sized> BorrowSharedAt<NoIndex, T> for OneBorrowedMut<TypeIndex<H, Q>> {
    type Out = Self;
}
impl<S, T: ?Sized> BorrowSharedAt<NoIndex, T> for KnownSet<S> {
    type Out = Self;
}
impl<P, T: ?Sized> BorrowUniqueAt<P, T> for OneBorrowedMut<NoIndex> {
    type Out = OneBorrowedMut<P>;
}
impl<H, Q, T: ?Sized> BorrowUniqueAt<NoIndex, T> for OneBorrowedMut<TypeIndex<H, Q>> {
    type Out = Self;
}
impl<S, T: ?Sized> BorrowUniqueAt<NoIndex, T> for KnownSet<S> {
    type Out = Self;
}
impl<First, Rest, T: ?Sized> BorrowUniqueAt<NoIndex, T> for AllBorrowed<First, Rest> {
    type Out = Self;
}
