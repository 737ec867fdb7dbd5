//! [`Condition`]: the expression behind `if` in a schedule, and the order in which its systems are
//! evaluated.

/// The condition of a node: an expression of systems that return `bool`, which are given by their
/// index in the node.
#[derive(Debug)]
pub enum Condition {
    /// No condition.
    Always,
    /// The output of a system.
    Ask(usize),
    /// The negation of a condition.
    Not(&'static Condition),
    /// Both conditions. The second is evaluated only if the first one holds.
    And(&'static Condition, &'static Condition),
    /// At least one of the conditions. The second is evaluated only if the first one does not hold.
    Or(&'static Condition, &'static Condition),
}

/// The step of a run for one system of a condition.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum ConditionStep {
    /// The system is run.
    Evaluate,
    /// The system is not run, since the result does not depend on it.
    Skip,
}

impl Condition {
    /// Whether the condition holds. Calls `step` once for each system of the condition, with its
    /// index, to evaluate or skip it.
    pub(super) fn holds(&self, step: &mut dyn FnMut(usize, ConditionStep) -> bool) -> bool {
        // a side that does not matter is skipped, not ignored: its systems are passed to `step`,
        // too
        match self {
            Self::Always => true,
            Self::Ask(index) => step(*index, ConditionStep::Evaluate),
            Self::Not(inner) => !inner.holds(step),
            Self::And(left, right) => {
                if left.holds(step) {
                    return right.holds(step);
                }
                right.skip(step);
                false
            }
            Self::Or(left, right) => {
                if !left.holds(step) {
                    return right.holds(step);
                }
                right.skip(step);
                true
            }
        }
    }

    /// Whether the condition can have this value. `ask` gives the output of a system, or `None` if
    /// it may have any.
    pub(super) fn can_be(&self, value: bool, ask: &mut dyn FnMut(usize) -> Option<bool>) -> bool {
        match self {
            Self::Always => value,
            Self::Ask(index) => ask(*index).is_none_or(|output| output == value),
            Self::Not(inner) => inner.can_be(!value, ask),
            Self::And(left, right) | Self::Or(left, right) => {
                let needs_both = matches!(self, Self::And(..)) == value;
                match left.can_be(value, ask) {
                    true => !needs_both || right.can_be(value, ask),
                    false => !needs_both && right.can_be(value, ask),
                }
            }
        }
    }

    /// Calls `step` for each system of the condition, to skip it.
    fn skip(&self, step: &mut dyn FnMut(usize, ConditionStep) -> bool) {
        match self {
            Self::Always => {}
            Self::Ask(index) => _ = step(*index, ConditionStep::Skip),
            Self::Not(inner) => inner.skip(step),
            Self::And(left, right) | Self::Or(left, right) => {
                left.skip(step);
                right.skip(step);
            }
        }
    }
}
