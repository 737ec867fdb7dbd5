//! The properties of a component that its column depends on, as constants.

use alloc::boxed::Box;

use super::rule_state::RuleState;

/// The properties of a component that its column depends on. Implemented by the component kinds in
/// `component/kind`.
pub trait ColumnKind: 'static {
    /// Whether the column stores the ticks at which values were added and changed.
    const TRACKED: bool;
    /// Whether the column is packed: its pages overlap, so that few values take little memory.
    const PACKED: bool = false;
    /// Whether the column logs removed values for readers.
    const LOGGED: bool = false;
    /// Whether the component has a rule.
    const GUARDED: bool = false;
    /// Whether the rule may refuse values.
    const REFUSES: bool = false;
    /// Whether the component has an index of values that may be changed in place.
    const INDEXED: bool = false;
    /// The rules of the component.
    const RULES: RuleSet = RuleSet::NONE;
    /// The rule's state for a column without values; `None` without a rule.
    #[doc(hidden)]
    fn rule_state<T: 'static>() -> Option<Box<dyn RuleState<T>>> {
        None
    }
}

/// The rules that a component has, for descriptions of it.
#[derive(Clone, Copy, Default, Debug)]
pub struct RuleSet {
    pub(crate) unique: bool,
    pub(crate) index: bool,
    pub(crate) key: bool,
    pub(crate) hook: bool,
    pub(crate) relation: Option<RelationRules>,
}

impl RuleSet {
    pub(crate) const NONE: Self =
        Self { unique: false, index: false, key: false, hook: false, relation: None };

    /// Whether the component is a relation that names components of its targets.
    pub(crate) const fn has_target_rule(&self) -> bool {
        matches!(self.relation, Some(RelationRules { has_target_rule: true, .. }))
    }
}

/// The options of a relation, for descriptions of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RelationRules {
    pub(crate) exclusive: bool,
    pub(crate) symmetric: bool,
    pub(crate) acyclic: bool,
    /// The effect on a source when its target is despawned, as the option is spelled.
    pub(crate) gone: &'static str,
    /// Whether the relation names components of its targets.
    pub(crate) has_target_rule: bool,
}
