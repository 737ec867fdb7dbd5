//! The properties of a component that its column depends on, as constants.

use alloc::boxed::Box;

use super::rule_state::RuleState;

/// The properties of a component that its column depends on. The kinds of components have them: see `component/kind`.
pub trait ColumnKind: 'static {
    /// Whether it is kept when values were added and changed.
    const TRACKED: bool;
    /// Whether removed values are kept for those who react to it.
    const LOGGED: bool = false;
    /// Whether it has a rule.
    const GUARDED: bool = false;
    /// Whether the rule ever says no.
    const REFUSES: bool = false;
    /// Whether entities are found by its value, which may be changed in place.
    const INDEXED: bool = false;
    /// What the rule remembers of a column without values.
    #[doc(hidden)]
    fn rule_state<T: 'static>() -> Option<Box<dyn RuleState<T>>> {
        None
    }
}
