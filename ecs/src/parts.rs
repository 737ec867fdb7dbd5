//! Traits that `parts!` implements for its list, and through which `world!` reads it.
//!
//! A world that includes parts names a type by its position in the list,
//! `<physics as Listed<Game, 0>>::Item`, so that the library can list types under names that the
//! world's crate does not import. The world is a type parameter because of the orphan rule: when
//! the compiler compares the world's impls, it assumes that no further implementation of a trait
//! exists only if the trait has a type of the world's own crate.

use core::marker::PhantomData;

use crate::raw_world::RawWorld;
use crate::system::{Runnable, System, SystemDesc};

/// A list of types, with the type `Item` at position `AT`: the components, resources and events of
/// parts, or the systems of a schedule of parts. It does not depend on the world.
pub trait Listed<W, const AT: usize> {
    /// The type at this position.
    type Item;
}

/// Parts with an initial value of the resource at position `AT`.
pub trait Valued<W, const AT: usize>: Listed<W, AT> {
    /// The initial value of the resource.
    fn value() -> Self::Item;
}

/// Gives one compile error instead of several for a system in a schedule of world `W` that is not a
/// system of that world: one of a schedule of parts that the world does not include, or one with
/// arguments. Another check reports these mistakes. The constants are those of the system if
/// it is a system of the world, and otherwise those of [`UnfitSystem`], which pass all other
/// checks.
pub struct PlacedSystem<S, W>(PhantomData<fn() -> (S, W)>);

impl<S: System<W>, W: RawWorld> PlacedSystem<S, W> {
    /// Whether it is a system of the world.
    pub const FITS: bool = true;
    /// [`System::DESC`].
    pub const DESC: SystemDesc<W> = S::DESC;
    /// [`System::RUNNABLE`].
    pub const RUNNABLE: Runnable<W, S::Out> = S::RUNNABLE;
    /// [`System::RUNNABLE`] of a system that is a condition.
    pub const CONDITION: Runnable<W, S::Out> = S::RUNNABLE;
}

/// The constants of a [`PlacedSystem`] that is not a system of the world.
pub trait UnfitSystem<W: RawWorld> {
    /// Whether the function is a system of the world.
    const FITS: bool = false;
    /// No parameters, and nothing to check. An observer needs a trigger, and gets no message about
    /// it here.
    const DESC: SystemDesc<W> = SystemDesc { has_news: Some(|_, _| false), ..SystemDesc::new("", &[]) };
    /// A system that cannot run.
    const RUNNABLE: Runnable<W, ()> = Runnable::REFUSED;
    /// A condition that cannot run.
    const CONDITION: Runnable<W, bool> = Runnable::REFUSED;
}

impl<S, W: RawWorld> UnfitSystem<W> for PlacedSystem<S, W> {}

/// Whether all are true.
pub const fn all(fits: &[bool]) -> bool {
    !any!(fits, |fits| !*fits)
}

/// Fails to compile with `message` where a system of a schedule of parts lacks something.
#[track_caller]
pub const fn check_includes(fits: &[bool], message: &str) {
    if !all(fits) {
        panic!("{}", message);
    }
}

/// The link of a chain of included lists for an `include` with `#[cfg(..)]`: calls the macro of the
/// list where the conditions hold, and passes the word `left_out` on where they do not.
#[doc(hidden)]
#[macro_export]
macro_rules! __include_if {
    ({{{$($cfg:tt)*} $($path:tt)*} {$($next:tt)*} $($rest:tt)*} {$($before:tt)*} $($world:tt)*) => {
        #[cfg(all($($cfg)*))]
        $($path)*! { {{$($next)*} $($rest)*} {$($before)*} $($world)* }
        #[cfg(not(all($($cfg)*)))]
        $($next)*! { {$($rest)*} {$($before)* {left_out {}}} $($world)* }
    };
}
