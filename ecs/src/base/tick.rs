//! Ticks: the numbers that order changes and the runs of systems.

/// The distance between the ticks of two successive turns of systems. The tick between them is that of values inserted into an
/// indexed column: it is later than the turn before, and earlier than changes in this turn.
pub(crate) const TURN: u64 = 2;

/// The ticks of one run of a system. The system sees a change if its tick is later than `last_run`.
#[derive(Clone, Copy, Default, Debug)]
pub struct Ticks {
    /// The tick of the last run at this place; 0 if there was none.
    pub(crate) last_run: u64,
    /// The tick of this run, later than the ticks of all runs before it.
    pub(crate) this_run: u64,
}

impl Ticks {
    /// The ticks for a system that does not use them.
    pub(crate) const UNTOLD: Self = Self { last_run: 0, this_run: 0 };
}
