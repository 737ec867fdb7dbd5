//! What `parts!` makes known of its list, for the worlds that include it.
//!
//! A world that includes parts names their types by where they were listed, `<physics as Listed<Game, 0>>::Item`, so that
//! the library writes each under the name that it has there. The world is a parameter for the compiler's sake: only of an
//! implementation that the world's own crate could have written does it believe, when it compares the world's impls, that
//! no other will ever be.

/// Something with a list of types, `Item` standing at `AT`: parts with their components, resources and events, or a
/// schedule of parts with its systems. It is the same for every world.
pub trait Listed<W, const AT: usize> {
    /// What stands there.
    type Item;
}

/// Parts whose resource at `AT` has a first value.
pub trait Valued<W, const AT: usize>: Listed<W, AT> {
    /// The first value.
    fn value() -> Self::Item;
}
