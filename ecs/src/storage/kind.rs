//! The properties of a component that its column depends on, as constants.

use alloc::boxed::Box;

use super::rule_state::RuleState;

/// The properties of a component that its column depends on. Implemented by the component kinds in `component/kind`.
pub trait ColumnKind: 'static {
    /// Whether the column stores the ticks at which values were added and changed.
    const TRACKED: bool;
    /// Whether the column logs removed values for readers.
    const LOGGED: bool = false;
    /// Whether the component has a rule.
    const GUARDED: bool = false;
    /// Whether the rule may refuse values.
    const REFUSES: bool = false;
    /// Whether the component has an index of values that may be changed in place.
    const INDEXED: bool = false;
    /// The rule's state for a column without values; `None` without a rule.
    #[doc(hidden)]
    fn rule_state<T: 'static>() -> Option<Box<dyn RuleState<T>>> {
        None
    }
}
