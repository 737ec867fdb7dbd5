//! Traits that `parts!` implements for its list, and through which `world!` reads it.
//!
//! A world that includes parts names a type by its position in the list, `<physics as Listed<Game, 0>>::Item`, so that the
//! library can list types under names that the world's crate does not import. The world is a type parameter because of the
//! orphan rule: when the compiler compares the world's impls, it assumes that no further implementation of a trait exists only if the
//! trait has a type of the world's own crate.

/// A list of types, with the type `Item` at position `AT`: the components, resources and events of parts, or the systems of a
/// schedule of parts. It does not depend on the world.
pub trait Listed<W, const AT: usize> {
    /// The type at this position.
    type Item;
}

/// Parts with an initial value of the resource at position `AT`.
pub trait Valued<W, const AT: usize>: Listed<W, AT> {
    /// The initial value of the resource.
    fn value() -> Self::Item;
}

/// The link of a chain of included lists for an `include` with `#[cfg(..)]`: calls the macro of the list where the conditions hold,
/// and passes the word `left_out` on where they do not.
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
