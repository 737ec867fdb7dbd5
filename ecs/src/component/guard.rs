//! Components that have rules: what a column does when a value comes to an entity or leaves it, and when an entity dies.
//!
//! A rule is a [`Guard`], named by the component's kind; what it remembers is a [`Companion`], kept in the column beside
//! the values and made when the first value comes. Every way by which values come and go asks it, and none but those of
//! guarded components: that is known at compile time.
//!
//! Nothing relies on a companion for soundness: it is told by traits that users implement.

use alloc::boxed::Box;
use core::any::Any;
use core::marker::PhantomData;

use super::ComponentKind;
use super::requires::Kind;
use crate::storage::rule_state::Companion;
use crate::world::World;

/// A rule of component `Of`.
pub trait Guard: 'static {
    /// The component.
    type Of: 'static;
    /// Whether it ever says no.
    const REFUSES: bool;
    /// What it remembers of a column without values.
    fn companion() -> Box<dyn Companion<Self::Of>>;
}

/// The kind of a component of kind `K` with the rule `G`.
pub struct Guarded<G, K>(PhantomData<fn() -> (G, K)>);

/// What the rule `G` remembers of a column of `T` without values; none for a component that claims the rule of another one.
pub(super) fn companion_of<G: Guard, T: 'static>() -> Option<Box<dyn Companion<T>>> {
    let companion: Box<dyn Any> = Box::new(G::companion());
    companion.downcast().ok().map(|companion| *companion)
}

impl<W: World, G: Guard, K: ComponentKind> Kind<W> for Guarded<G, K> {}
