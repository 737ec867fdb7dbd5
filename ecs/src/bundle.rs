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
pub trait Bundle<W: RawWorld>: IntoComponents<W, BundleComponents: BundleComponents<W>> {
    /// The values that were replaced or removed: an `Option` for each component, nested as the
    /// bundle is. It is a type of this trait, so that a value which is no bundle is one error.
    #[doc(hidden)]
    type Replaced: From<BundleOptions<W, Self>>;
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

/// A bundle whose components are distinct and not in the type-level set `S`: see `base/typeset.rs`.
///
/// It is the only bound of tuples and structs, so that one mistake gives one message.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a component or bundle of world `{W}`",
    label = "not a bundle of `{W}`",
    note = "a component is a struct or an enum with `#[derive(Component)]` that the `world!` of `{W}` lists; a value of another type goes into a field of one",
    note = "a bundle is a component, a tuple of up to twelve bundles, or a struct with `#[derive(Bundle)]`; several entities are spawned by `spawn_batch`, a prefab by `prefab.spawn(&mut game)`, a relation with many targets as `Many::one(..)`, children by `spawn_with_children(parent, ChildOf, children![A, B])`"
)]
#[doc(hidden)]
pub trait Distinct<W: RawWorld, S>: IntoComponents<W, BundleComponents: BundleComponents<W>> {
    /// The set `S` with the components of this bundle.
    type Out;
}

/// A bound that every type meets: it makes the compiler ask for `S`, the set with one member of a
/// tuple, before the bounds of the next member, and so blame the right one.
#[doc(hidden)]
pub trait AskedFirst<S> {}
impl<T, S> AskedFirst<S> for T {}

impl<W: RawWorld> IntoComponents<W> for () {
    type BundleComponents = ();
    fn into_components(self) {}
    fn from_components((): ()) {}
}

impl<W: RawWorld, S> Distinct<W, S> for () {
    type Out = S;
}

impl<W: RawWorld> Bundle<W> for () {
    type Replaced = ();
}

macro_rules! bundle_tuples {
    (@ [$($done:tt)*]) => {};
    (@ [] $name:ident $index:tt $($more:tt)*) => {
        bundle_tuples!(# $name $index S; $name);
        bundle_tuples!(@ [$name $index S,] $($more)*);
    };
    (@ [$($n:ident $i:tt $b:ty,)*] $name:ident $index:tt $($more:tt)*) => {
        bundle_tuples!(& [$($n $i $b,)*] $name $index $($more)*);
    };
    (& [$($n:ident $i:tt $b:ty,)*] $name:ident $index:tt $($more:tt)*) => {
        bundle_tuples!(% [] [$($n $i $b,)*] $name $index $($more)*);
    };
    // the set before the new member is the set after the last member
    (% [$($head:tt)*] [$n:ident $i:tt $b:ty,] $name:ident $index:tt $($more:tt)*) => {
        bundle_tuples!(# $($head)* $n $i $b, $name $index <$n as Distinct<W, $b>>::Out; $name);
        bundle_tuples!(@ [$($head)* $n $i $b, $name $index <$n as Distinct<W, $b>>::Out,] $($more)*);
    };
    (% [$($head:tt)*] [$n:ident $i:tt $b:ty, $($rest:tt)+] $($more:tt)*) => {
        bundle_tuples!(% [$($head)* $n $i $b,] [$($rest)+] $($more)*);
    };
    (# $($name:ident $index:tt $before:ty),+; $last:ident) => {
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
        impl<W: RawWorld, S, $($name: Distinct<W, $before> + AskedFirst<<$name as Distinct<W, $before>>::Out>),+>
            Distinct<W, S> for ($($name,)+)
        {
            type Out = bundle_tuples!(last $($name $before),+);
        }
        impl<W: RawWorld, $($name),+> Bundle<W> for ($($name,)+)
        where
            ($($name,)+): Distinct<W, EmptySet>,
        {
            type Replaced = BundleOptions<W, Self>;
        }
    };
    (last $name:ident $before:ty) => { <$name as Distinct<W, $before>>::Out };
    (last $name:ident $before:ty, $($rest:tt)+) => { bundle_tuples!(last $($rest)+) };
}
bundle_tuples!(@ [] A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7 I 8 J 9 K 10 L 11);
