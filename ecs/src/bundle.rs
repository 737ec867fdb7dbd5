//! Bundles: sets of components that are spawned, inserted and removed together.
//!
//! A component is a bundle; tuples of bundles and `#[derive(Bundle)]` structs of bundles are
//! bundles, too.

// A bundle converts itself into nested tuples of `OneComponent`, by `IntoComponents`. These tuples
// implement `BundleComponents`, which writes the values into the columns. Only the library
// implements that trait.

pub(crate) mod batch;
pub(crate) mod columns;
pub(crate) mod components;

pub use batch::Spawned;
pub use columns::Columns;
pub(crate) use components::{BundleComponents, OneComponent};

use crate::base::typeset::EmptySet;
use crate::component::IsComponent;
use crate::raw_world::RawWorld;

/// A set of components of world `W`: a component, a tuple of up to twelve bundles, or a
/// `#[derive(Bundle)]` struct.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component or bundle of world `{W}`",
    label = "not a bundle of `{W}`",
    note = "a component is a struct or an enum with `#[derive(Component)]` that the `world!` of `{W}` lists; a value of another type goes into a field of one",
    note = "a bundle is a component, a tuple of up to twelve bundles, or a struct with `#[derive(Bundle)]`; several entities are spawned by `spawn_batch`, a prefab by `prefab.spawn(&mut game)`, a relation with many targets as `Many::one(..)`, children by `spawn_with_children(parent, ChildOf, children![A, B])`"
)]
pub trait Bundle<W: RawWorld>:
    IntoComponents<W, BundleComponents: BundleComponents<W, Options = <Self as Bundle<W>>::Replaced>>
{
    /// The values that were replaced or removed: an `Option` for each component, nested as the
    /// bundle is. It is a type of this trait, so that a value which is no bundle is one error.
    #[doc(hidden)]
    type Replaced;
}

/// Conversion of a bundle into nested tuples of its components, and back.
///
/// One implementation below serves all components, so that `derive(Component)` need not emit one:
/// the compiler checks every body.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component or bundle of world `{W}`",
    label = "not a bundle of `{W}`",
    note = "a component is a struct or an enum with `#[derive(Component)]` that the `world!` of `{W}` lists; a value of another type goes into a field of one",
    note = "a bundle is a component, a tuple of up to twelve bundles, or a struct with `#[derive(Bundle)]`; several entities are spawned by `spawn_batch`, a prefab by `prefab.spawn(&mut game)`, a relation with many targets as `Many::one(..)`, children by `spawn_with_children(parent, ChildOf, children![A, B])`"
)]
#[doc(hidden)]
pub trait IntoComponents<W: RawWorld>: Sized {
    /// The nested tuples of [`OneComponent`].
    type BundleComponents: 'static;
    #[doc(hidden)]
    fn into_components(self) -> Self::BundleComponents;
    #[doc(hidden)]
    fn from_components(components: Self::BundleComponents) -> Self;
}

#[diagnostic::do_not_recommend]
impl<W: RawWorld, T: IsComponent> IntoComponents<W> for T {
    type BundleComponents = OneComponent<T>;
    #[inline]
    fn into_components(self) -> OneComponent<T> {
        OneComponent(self)
    }
    #[inline]
    fn from_components(OneComponent(value): OneComponent<T>) -> Self {
        value
    }
}

/// The values of a bundle that were replaced or removed: an `Option` for each component, nested as
/// the bundle is.
pub type Replaced<W, B> = <B as Bundle<W>>::Replaced;

/// [`Replaced`] by the components of the bundle.
#[doc(hidden)]
pub type BundleOptions<W, B> = <<B as IntoComponents<W>>::BundleComponents as BundleComponents<W>>::Options;

/// A component that is not in the type-level set `S`: see `base/typeset.rs`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component or bundle of world `{W}`",
    label = "not a bundle of `{W}`",
    note = "a component is a struct or an enum with `#[derive(Component)]` that the `world!` of `{W}` lists; a value of another type goes into a field of one",
    note = "a bundle is a component, a tuple of up to twelve bundles, or a struct with `#[derive(Bundle)]`; several entities are spawned by `spawn_batch`, a prefab by `prefab.spawn(&mut game)`, a relation with many targets as `Many::one(..)`, children by `spawn_with_children(parent, ChildOf, children![A, B])`"
)]
#[doc(hidden)]
pub trait Distinct<W: RawWorld, S>: IntoComponents<W, BundleComponents: BundleComponents<W>> {
    /// The set `S` with the component.
    type Out;
}

/// A bundle whose components are distinct and not in the type-level set `S`: see
/// `base/typeset.rs`.
///
/// All bundles implement it by one impl, so that the only message for a value which is no bundle is
/// that of [`Bundle`]. `R` is [`Replaced`]: it makes the compiler ask for the bundle itself before
/// its set, and so names the right member of a tuple.
#[doc(hidden)]
pub trait DistinctBundle<W: RawWorld, S, R> {
    /// The set `S` with the components of this bundle.
    type Out;
}

impl<W: RawWorld, S, R: DistinctComponents<W, S>, B: Bundle<W, Replaced = R>> DistinctBundle<W, S, R> for B {
    type Out = R::Out;
}

/// [`Replaced`] of such a bundle.
#[doc(hidden)]
pub trait DistinctComponents<W: RawWorld, S> {
    /// The set `S` with these components.
    type Out;
}

impl<W: RawWorld, S, T: Distinct<W, S>> DistinctComponents<W, S> for Option<T> {
    type Out = T::Out;
}

impl<W: RawWorld> IntoComponents<W> for () {
    type BundleComponents = ();
    fn into_components(self) {}
    fn from_components((): ()) {}
}

impl<W: RawWorld, S> DistinctComponents<W, S> for () {
    type Out = S;
}

impl<W: RawWorld> Bundle<W> for () {
    type Replaced = ();
}

macro_rules! bundle_tuples {
    (@ [$($done:tt)*]) => {};
    (@ [] $name:ident $index:tt $($more:tt)*) => {
        bundle_tuples!(# $name $index S, EmptySet);
        bundle_tuples!(@ [$name $index S, EmptySet,] $($more)*);
    };
    (@ [$($n:ident $i:tt $s:ty, $b:ty,)*] $name:ident $index:tt $($more:tt)*) => {
        bundle_tuples!(% [] [$($n $i $s, $b,)*] $name $index $($more)*);
    };
    // the sets before the new member, of its components and of bundles, are those after the last one
    (% [$($head:tt)*] [$n:ident $i:tt $s:ty, $b:ty,] $name:ident $index:tt $($more:tt)*) => {
        bundle_tuples!(# $($head)* $n $i $s, $b, $name $index
            <$n as DistinctComponents<W, $s>>::Out, <$n as DistinctBundle<W, $b, <$n as Bundle<W>>::Replaced>>::Out);
        bundle_tuples!(@ [$($head)* $n $i $s, $b, $name $index
            <$n as DistinctComponents<W, $s>>::Out, <$n as DistinctBundle<W, $b, <$n as Bundle<W>>::Replaced>>::Out,] $($more)*);
    };
    (% [$($head:tt)*] [$n:ident $i:tt $s:ty, $b:ty, $($rest:tt)+] $($more:tt)*) => {
        bundle_tuples!(% [$($head)* $n $i $s, $b,] [$($rest)+] $($more)*);
    };
    (# $($name:ident $index:tt $before:ty, $bundles:ty),+) => {
        impl<W: RawWorld, $($name: IntoComponents<W>),+> IntoComponents<W> for ($($name,)+) {
            type BundleComponents = ($($name::BundleComponents,)+);
            #[inline(always)]
            fn into_components(self) -> Self::BundleComponents {
                ($(self.$index.into_components(),)+)
            }
            #[inline(always)]
            fn from_components(components: Self::BundleComponents) -> Self {
                ($($name::from_components(components.$index),)+)
            }
        }
        impl<W: RawWorld, S, $($name: DistinctComponents<W, $before>),+> DistinctComponents<W, S> for ($($name,)+) {
            type Out = bundle_tuples!(last $($name $before),+);
        }
        impl<W: RawWorld, $($name: Bundle<W> + DistinctBundle<W, $bundles, <$name as Bundle<W>>::Replaced>),+> Bundle<W> for ($($name,)+) {
            type Replaced = ($($name::Replaced,)+);
        }
    };
    (last $name:ident $before:ty) => { <$name as DistinctComponents<W, $before>>::Out };
    (last $name:ident $before:ty, $($rest:tt)+) => { bundle_tuples!(last $($rest)+) };
}
bundle_tuples!(@ [] A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11);
