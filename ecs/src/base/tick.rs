//! The ticks by which changes are earlier or later, and between which systems run.

/// How much later the next turn of a system is. What is between is the tick of what is inserted into an indexed column: it
/// is later than the turn before, and earlier than what is changed in this turn.
pub(crate) const TURN: u64 = 2;

/// Between which ticks a system runs. A change is seen if its tick is later than `last_run`.
#[derive(Clone, Copy, Default, Debug)]
pub struct Ticks {
    /// That of the last run at this place; 0 if there was none.
    pub(crate) last_run: u64,
    /// That of this run, which is later than that of all runs before it.
    pub(crate) this_run: u64,
}

impl Ticks {
    /// What a system is given that does not ask.
    pub(crate) const UNTOLD: Self = Self { last_run: 0, this_run: 0 };
}
