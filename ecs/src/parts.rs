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
