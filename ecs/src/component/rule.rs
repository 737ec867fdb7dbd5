//! Components that have rules: what a column does when a value comes to an entity or leaves it, and when an entity dies.
//!
//! A rule is a [`ComponentRule`], named by the component's kind; what it remembers is a [`RuleState`], kept in the column beside
//! the values and made when the first value comes. Every way by which values come and go asks it, and none but those of
//! guarded components: that is known at compile time.
//!
//! Nothing relies on a rule state for soundness: it is told by traits that users implement.

use alloc::boxed::Box;
use core::any::Any;
use core::marker::PhantomData;

use super::ComponentKind;
use super::requires::WorldKind;
use crate::storage::rule_state::RuleState;
use crate::world::World;

/// A rule of component `Of`.
pub trait ComponentRule: 'static {
    /// The component.
    type Of: 'static;
    /// Whether it ever says no.
    const REFUSES: bool;
    /// What it remembers of a column without values.
    fn rule_state() -> Box<dyn RuleState<Self::Of>>;
}

/// The kind of a component of kind `K` with the rule `G`.
pub struct WithRule<G, K>(PhantomData<fn() -> (G, K)>);

/// What the rule `G` remembers of a column of `T` without values; none for a component that claims the rule of another one.
pub(super) fn rule_state_of<G: ComponentRule, T: 'static>() -> Option<Box<dyn RuleState<T>>> {
    let rule_state: Box<dyn Any> = Box::new(G::rule_state());
    rule_state.downcast().ok().map(|rule_state| *rule_state)
}

impl<W: World, G: ComponentRule, K: ComponentKind> WorldKind<W> for WithRule<G, K> {}
