//! [`Progress`]: the frames that a call of [`Rollback::advance`](crate::Rollback::advance) has run.

/// The frames that a call of [`Rollback::advance`](crate::Rollback::advance) has run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// The number of new frames: 1, or 0 if the program has to wait for others. A spectator that
    /// catches up may run several.
    pub frames: u32,
    /// The number of frames that were run again with other inputs.
    pub again: u32,
}

impl Progress {
    /// Whether no new frame was run, because the connection is not established, or because the
    /// inputs of another program are missing for too long. Call
    /// [`advance`](crate::Rollback::advance) again, with the same or newer inputs.
    pub fn is_waiting(&self) -> bool {
        self.frames == 0
    }
}
