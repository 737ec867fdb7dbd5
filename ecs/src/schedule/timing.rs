//! How long systems take: for users who ask, and to know what is worth a thread.

/// What a schedule knows about the time that its systems take.
#[derive(Default, Debug)]
pub(crate) struct Clock {}
