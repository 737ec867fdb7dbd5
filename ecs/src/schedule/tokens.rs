//! Tokens that match a world with its run-time [`Schedule`]s, and the queue of edits of these
//! schedules.
//!
//! The states of a run-time schedule are stored in the schedule. They fit only its own world in its
//! current state, since they hold reserved slots, positions of event readers, and locals. The world
//! and the schedule store the same number, a *token*. Both replace it by a new one whenever the
//! schedule runs or changes, and after each stage of a run. So a copy of the world, or of the
//! schedule, that was left behind is recognized, and copies of both that were made at the same time
//! fit each other.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::sync::atomic::{AtomicU64, Ordering};

use super::dynamic::Schedule;
use crate::raw_world::RawWorld;

/// Returns a number that no token of this process has had.
fn new_token() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The tokens of the schedules that belong to a world. A copy of the world has the same tokens.
#[derive(Clone, Default, Debug)]
pub(crate) struct ScheduleTokens(Vec<u64>);

impl ScheduleTokens {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds and returns a token for a schedule that had none.
    pub(super) fn add(&mut self) -> u64 {
        let token = new_token();
        self.0.push(token);
        token
    }

    /// Replaces a token by a new one, in the world and in `token`; returns `false` if the world
    /// does not have it.
    pub(super) fn renew(&mut self, token: &mut u64) -> bool {
        let Some(held) = self.0.iter_mut().find(|held| *held == token) else { return false };
        *held = new_token();
        *token = *held;
        true
    }

    /// Whether the world has a token.
    pub(super) fn contains(&self, token: u64) -> bool {
        self.0.contains(&token)
    }

    /// Removes the token of a schedule that has no systems any more.
    pub(super) fn remove(&mut self, token: u64) {
        self.0.retain(|&held| held != token);
    }
}

/// A requested change of a schedule. It may run several times: a world that is restored from a
/// snapshot applies it again.
pub(super) type ScheduleEdit<W> = Box<dyn Fn(&mut Schedule<W>, &mut W) + Send + Sync>;

/// Requested edits that wait, each with the name of its schedule, in the order of the requests. A
/// copy of the world has the same.
#[derive(Clone, Default)]
pub(crate) struct ScheduleEdits(Vec<QueuedEdit>);

/// An edit that waits for the end of the stage, or for the next run of its schedule.
#[derive(Clone)]
struct QueuedEdit {
    schedule: &'static str,
    /// A [`ScheduleEdit`] of the world's type.
    edit: Arc<dyn Any + Send + Sync>,
}

impl ScheduleEdits {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds an edit of the schedule with a name.
    pub(crate) fn push<W: RawWorld>(
        &mut self,
        schedule: &'static str,
        edit: impl FnOnce(&mut Schedule<W>, &mut W) + Clone + Send + Sync + 'static,
    ) {
        let edit: ScheduleEdit<W> = Box::new(move |schedule, world| edit.clone()(schedule, world));
        self.0.push(QueuedEdit { schedule, edit: Arc::new(edit) });
    }

    /// The number of edits that wait for a schedule.
    pub(super) fn count(&self, schedule: &str) -> usize {
        self.0.iter().filter(|waiting| waiting.schedule == schedule).count()
    }

    /// Removes and returns the first edit that waits for a schedule.
    pub(super) fn take<W: RawWorld>(&mut self, schedule: &str) -> Option<Arc<ScheduleEdit<W>>> {
        let at = self.0.iter().position(|waiting| waiting.schedule == schedule)?;
        self.0.remove(at).edit.downcast().ok()
    }
}

debug!([] ScheduleEdits, |this, f| f.debug_struct("ScheduleEdits").field("len", &this.0.len()).finish());

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_of_one_world_until_it_is_replaced_or_removed() {
        let (mut tokens, mut other) = (ScheduleTokens::new(), ScheduleTokens::new());
        let (mut first, second) = (tokens.add(), tokens.add());
        assert!(first != second && first != 0 && second != 0, "a schedule without a token has 0");
        assert!(tokens.contains(first) && !other.contains(first) && !tokens.contains(0));
        let copy = tokens.clone();
        let before = first;
        assert!(tokens.renew(&mut first) && first != before && first != second);
        assert!(tokens.contains(first) && !tokens.contains(before) && tokens.contains(second));
        assert!(copy.contains(before) && !copy.contains(first));
        assert!(!other.renew(&mut first) && tokens.contains(first), "another world's token is unchanged");
        tokens.remove(first);
        assert!(!tokens.contains(first) && tokens.contains(second));
    }
}
