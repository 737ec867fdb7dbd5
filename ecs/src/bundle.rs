//! Bundles: sets of components that are spawned, inserted and removed together.
//!
//! A component is a bundle; tuples of bundles and `#[derive(Bundle)]` structs of bundles are
//! bundles, too.

// A bundle converts itself into nested tuples of `OneComponent`, by `IntoComponents`. These tuples
// implement `BundleComponents`, which writes the values into the columns. Only the library
// implements that trait.
//
// One impl of `Bundle` serves all bundles, and the derives only say of which shape a type is, so
// that they expand to little. The traits are apart for the sake of error messages: a value that is
// no bundle lacks `IsBundle`, which has no impl that rustc would list, a component
// that the world does not have lacks `Has`, and a component that is there twice lacks `OccursOnce`.

pub(crate) mod batch;
pub(crate) mod columns;
pub(crate) mod components;

pub use batch::Spawned;
pub use columns::Columns;
pub(crate) use components::{BundleComponents, OneComponent};

use crate::base::typeset::{EmptySet, OccursOnce, PutAt};
use crate::component::kind::{ComponentShape, SealedKind};
use crate::component::{Has, IsComponent};
use crate::raw_world::RawWorld;

/// A set of components of world `W`: a component, a tuple of up to twelve bundles, or a
/// `#[derive(Bundle)]` struct.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component or bundle",
    label = "not a bundle",
    note = "a component is a struct or an enum with `#[derive(Component)]` that the `world!` lists; a value of another type goes into a field of one; \
            a bundle is a component, a tuple of up to twelve bundles, or a struct with `#[derive(Bundle)]`; many entities are `spawn_batch(bundles)`; an edge of many is `Many::one(..)`, children: `spawn_with_children(A, ChildOf, children![B, C => [D]])`"
)]
pub trait Bundle<W: RawWorld>: IsBundle<W> + IntoComponents<W, <Self as IsBundle<W>>::Shape> {
    /// The values that were replaced or removed: an `Option` for each component, nested as the
    /// bundle is. It is a type of this trait, so that a value which is no bundle is one error.
    #[doc(hidden)]
    type Replaced: From<BundleOptions<W, Self>>;
}

impl<W: RawWorld, T: IsBundle<W>> Bundle<W> for T
where
    T: IntoComponents<W, T::Shape> + Distinct<W, EmptySet, T::Shape>,
{
    type Replaced = <T as IntoComponents<W, T::Shape>>::ReplacedValues;
}

/// A component, a tuple or a `#[derive(Bundle)]` struct, whatever it consists of.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component or bundle",
    label = "not a bundle",
    note = "a component is a struct or an enum with `#[derive(Component)]` that the `world!` lists; a value of another type goes into a field of one; \
            a bundle is a component, a tuple of up to twelve bundles, or a struct with `#[derive(Bundle)]`; many entities are `spawn_batch(bundles)`; an edge of many is `Many::one(..)`, children: `spawn_with_children(A, ChildOf, children![B, C => [D]])`"
)]
#[doc(hidden)]
pub trait IsBundle<W: RawWorld>: Sized {
    /// The kind of bundle: [`ComponentShape`], [`TupleShape`], [`StructShape`] or [`BrokenShape`].
    type Shape;
}

/// The shape of a tuple.
pub struct TupleShape;
/// The shape of a `#[derive(Bundle)]` struct: see [`BundleFields`].
pub struct StructShape;
/// The shape of a bundle with a mistake that was reported. Every type has the impls of this shape:
/// so rustc takes it for that of a type which is no bundle, and reports that once.
pub struct BrokenShape;

#[diagnostic::do_not_recommend]
impl<W: RawWorld, T: IsComponent> IsBundle<W> for T {
    type Shape = <T::Kind as SealedKind>::Shape;
}

/// Conversion of a bundle of a shape into nested tuples of its components, and back.
#[doc(hidden)]
pub trait IntoComponents<W: RawWorld, Shape>: Sized {
    /// The nested tuples of [`OneComponent`].
    type BundleComponents: BundleComponents<W> + 'static;
    /// See [`Bundle::Replaced`].
    type ReplacedValues: From<<Self::BundleComponents as BundleComponents<W>>::Options>;
    fn into_components(self) -> Self::BundleComponents;
    fn from_components(components: Self::BundleComponents) -> Self;
}

/// The values of a bundle that were replaced or removed: an `Option` for each component, nested as
/// the bundle is.
pub type Replaced<W, B> = <B as Bundle<W>>::Replaced;

/// [`Replaced`] by the components of the bundle.
#[doc(hidden)]
pub type BundleOptions<W, B> =
    <<B as IntoComponents<W, <B as IsBundle<W>>::Shape>>::BundleComponents as BundleComponents<W>>::Options;

/// A bundle whose components are distinct and not in the type-level set `S`, and of which none
/// excludes another one or one of the set: see `base/typeset.rs`.
///
/// The defaults are those of a component alone. rustc leaves them out of the bound that it proposes
/// for a type parameter.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not known to go into a bundle of world `{W}`",
    label = "needs a bound on the whole bundle",
    note = "code that is generic over a component names the bundle that it spawns, inserts or removes: `where T: Bundle<Game>`, `where (T, Position): Bundle<Game>`"
)]
#[doc(hidden)]
pub trait Distinct<W: RawWorld, S = EmptySet, Shape = <<Self as IsComponent>::Kind as SealedKind>::Shape>:
    AddTo<W, S, Shape>
{
}

/// A bundle whose components can be added to the type-level set `S`, also if they are not distinct:
/// apart from [`Distinct`], so that rustc blames the right member.
#[doc(hidden)]
pub trait AddTo<W: RawWorld, S, Shape>: IntoComponents<W, Shape> {
    /// The set `S` with the components of this bundle.
    type Out;
}

impl<W: Has<T>, T: IsComponent, const EXCLUDES: bool> IntoComponents<W, ComponentShape<EXCLUDES>> for T {
    type BundleComponents = OneComponent<T>;
    type ReplacedValues = Option<T>;
    #[inline]
    fn into_components(self) -> OneComponent<T> {
        OneComponent(self)
    }
    #[inline]
    fn from_components(OneComponent(value): OneComponent<T>) -> Self {
        value
    }
}

// The derive of a component that excludes others has an impl for the other shape.
impl<W: Has<T>, T: IsComponent, S: PutAt<<W as Has<T>>::TypeIndex, T, Found: OccursOnce<T>>>
    Distinct<W, S, ComponentShape<false>> for T
{
}
impl<W: Has<T>, T: IsComponent, S: PutAt<<W as Has<T>>::TypeIndex, T>> AddTo<W, S, ComponentShape<false>>
    for T
{
    type Out = S::Out;
}

/// A `#[derive(Bundle)]` struct: it is a bundle where the tuple of its fields is one.
#[doc(hidden)]
pub trait BundleFields: Sized {
    /// The fields, as a tuple.
    type Tuple;
    fn into_tuple(self) -> Self::Tuple;
    fn from_tuple(tuple: Self::Tuple) -> Self;
}

impl<W: RawWorld, T: BundleFields> IntoComponents<W, StructShape> for T
where
    T::Tuple: IntoComponents<W, TupleShape>,
{
    type BundleComponents = <T::Tuple as IntoComponents<W, TupleShape>>::BundleComponents;
    type ReplacedValues = <T::Tuple as IntoComponents<W, TupleShape>>::ReplacedValues;
    #[inline]
    fn into_components(self) -> Self::BundleComponents {
        self.into_tuple().into_components()
    }
    #[inline]
    fn from_components(components: Self::BundleComponents) -> Self {
        Self::from_tuple(T::Tuple::from_components(components))
    }
}

impl<W: RawWorld, S, T: BundleFields<Tuple: Distinct<W, S, TupleShape>>> Distinct<W, S, StructShape> for T {}

impl<W: RawWorld, S, T: BundleFields<Tuple: AddTo<W, S, TupleShape>>> AddTo<W, S, StructShape> for T {
    type Out = <T::Tuple as AddTo<W, S, TupleShape>>::Out;
}

impl<W: RawWorld, S, T> Distinct<W, S, BrokenShape> for T {}

impl<W: RawWorld, S, T> AddTo<W, S, BrokenShape> for T {
    type Out = S;
}

impl<W: RawWorld, T> IntoComponents<W, BrokenShape> for T {
    type BundleComponents = ();
    type ReplacedValues = ();
    fn into_components(self) {
        unreachable!("the bundle does not compile")
    }
    fn from_components((): ()) -> Self {
        unreachable!("the bundle does not compile")
    }
}

#[diagnostic::do_not_recommend]
impl<W: RawWorld> IsBundle<W> for () {
    type Shape = TupleShape;
}

impl<W: RawWorld> IntoComponents<W, TupleShape> for () {
    type BundleComponents = ();
    type ReplacedValues = ();
    fn into_components(self) {}
    fn from_components((): ()) {}
}

impl<W: RawWorld, S> Distinct<W, S, TupleShape> for () {}

impl<W: RawWorld, S> AddTo<W, S, TupleShape> for () {
    type Out = S;
}

// For each member: its type and position, and the sets before and after it. The sets are
// type parameters: with nested projections in their place, long tuples took more time to check.
macro_rules! bundle_tuples {
    ([$($done:tt)*]) => {};
    ([$($done:tt)*] $next:tt $($more:tt)*) => {
        bundle_tuples!(@ $($done)* $next);
        bundle_tuples!([$($done)* $next] $($more)*);
    };
    (@ $([$name:ident $index:tt $before:ident $after:ident])+) => {
        #[diagnostic::do_not_recommend]
        impl<W: RawWorld, $($name),+> IsBundle<W> for ($($name,)+) {
            type Shape = TupleShape;
        }
        impl<W: RawWorld, $($name: IsBundle<W> + IntoComponents<W, $name::Shape>),+>
            IntoComponents<W, TupleShape> for ($($name,)+)
        {
            type BundleComponents = ($($name::BundleComponents,)+);
            type ReplacedValues = <Self::BundleComponents as BundleComponents<W>>::Options;
            #[inline(always)]
            fn into_components(self) -> Self::BundleComponents {
                ($(self.$index.into_components(),)+)
            }
            #[inline(always)]
            fn from_components(components: Self::BundleComponents) -> Self {
                ($($name::from_components(components.$index),)+)
            }
        }
        impl<W: RawWorld, S, $($name: IsBundle<W>, $after),+> Distinct<W, S, TupleShape> for ($($name,)+)
        where
            $($name: AddTo<W, $before, $name::Shape, Out = $after> + Distinct<W, $before, $name::Shape>,)+
        {
        }
        impl<W: RawWorld, S, $($name: IsBundle<W>, $after),+> AddTo<W, S, TupleShape> for ($($name,)+)
        where
            $($name: AddTo<W, $before, $name::Shape, Out = $after>,)+
        {
            type Out = bundle_tuples!(last $($after)+);
        }
    };
    (last $after:ident) => { $after };
    (last $after:ident $($more:ident)+) => { bundle_tuples!(last $($more)+) };
}
bundle_tuples! {
    []
    [A 0 S SA] [B 1 SA SB] [C 2 SB SC] [D 3 SC SD]
    [E 4 SD SE] [F 5 SE SF] [G 6 SF SG] [H 7 SG SH]
    [I 8 SH SI] [J 9 SI SJ] [K 10 SJ SK] [L 11 SK SL]
}
