//! Rules of components, such as unique values, indexes and relations: code that runs when a value
//! is inserted into a column or removed from it, and when an entity is despawned.
//!
//! A rule is a [`ComponentRule`], which the component's kind names. Its state is a [`RuleState`],
//! which the column keeps beside the values and makes with the first value. Every insertion and
//! removal of a guarded component calls the rule state. Whether a component is guarded is known at
//! compile time, so that other components pay nothing.
//!
//! Soundness does not rely on a rule state, since it depends on traits that users implement, such
//! as `Hash`.

use alloc::boxed::Box;
use core::any::Any;

use crate::storage::kind::RuleSet;
use crate::storage::rule_state::RuleState;

/// A rule of a component.
pub trait ComponentRule: 'static {
    /// Whether there is a rule.
    const GUARDED: bool = true;
    /// Whether the rule may refuse a value.
    const REFUSES: bool;
    /// The rule, for descriptions of the component.
    const RULES: RuleSet;
    /// The rule state of a column of `T` without values; `None` if this is the rule of another
    /// component.
    fn rule_state<T: 'static>() -> Option<Box<dyn RuleState<T>>>;
}

/// No rule.
pub struct NoRule;

impl ComponentRule for NoRule {
    const GUARDED: bool = false;
    const REFUSES: bool = false;
    const RULES: RuleSet = RuleSet::NONE;
    fn rule_state<T: 'static>() -> Option<Box<dyn RuleState<T>>> {
        None
    }
}

/// The rule state of a component `C`, for a column of `T`; `None` if these are two types.
pub(crate) fn rule_state_of<C: 'static, T: 'static>(
    state: impl RuleState<C> + 'static,
) -> Option<Box<dyn RuleState<T>>> {
    let state: Box<dyn RuleState<C>> = Box::new(state);
    let state: Box<dyn Any> = Box::new(state);
    state.downcast().ok().map(|state| *state)
}
