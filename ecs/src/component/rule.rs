//! Rules of components, such as unique values, indexes and relations: code that runs when a value is inserted into a column or
//! removed from it, and when an entity is despawned.
//!
//! A rule is a [`ComponentRule`], which the component's kind names. Its state is a [`RuleState`], which the column keeps beside the
//! values and makes with the first value. Every insertion and removal of a guarded component calls the rule state. Whether a component
//! is guarded is known at compile time, so that other components pay nothing.
//!
//! Soundness does not rely on a rule state, since it depends on traits that users implement, such as `Hash`.

use alloc::boxed::Box;
use core::any::Any;
use core::marker::PhantomData;

use super::ComponentKind;
use super::requires::WorldKind;
use crate::raw_world::RawWorld;
use crate::storage::kind::RuleSet;
use crate::storage::rule_state::RuleState;

/// A rule of component `Of`.
pub trait ComponentRule: 'static {
    /// The component.
    type Of: 'static;
    /// Whether the rule may refuse a value.
    const REFUSES: bool;
    /// The rule, for descriptions of the component.
    const RULES: RuleSet;
    /// The rule state of a column without values.
    fn rule_state() -> Box<dyn RuleState<Self::Of>>;
}

/// The kind of a component of kind `K` with the rule `G`.
pub struct WithRule<G, K>(PhantomData<fn() -> (G, K)>);

/// The state of rule `G` for a column of `T` without values; `None` if `G` is the rule of another component than `T`.
pub(super) fn rule_state_of<G: ComponentRule, T: 'static>() -> Option<Box<dyn RuleState<T>>> {
    let rule_state: Box<dyn Any> = Box::new(G::rule_state());
    rule_state.downcast().ok().map(|rule_state| *rule_state)
}

impl<W: RawWorld, G: ComponentRule, K: ComponentKind> WorldKind<W> for WithRule<G, K> {}
