//! What a world knows of the schedules that were built at run time: whose states are made for it, and what shall be
//! done to them.
//!
//! The states of such a schedule are outside of the world, and good for this world only, as it is now: lanes, cursors
//! and locals. World and schedule hold the same number, a *bond*, which is exchanged on both sides for a new one
//! whenever the schedule runs or changes, and after each stage of a run. So a schedule and a world that went different ways do not
//! fit any more, and a copy of both made at the same time does.

use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::any::Any;
use core::sync::atomic::{AtomicU64, Ordering};

use super::dynamic::Schedule;
use crate::world::World;

/// A number that no other bond ever had.
fn next() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// The bonds of a world. A copy of the world has the same.
#[derive(Clone, Default, Debug)]
pub(crate) struct ScheduleTokens(Vec<u64>);

impl ScheduleTokens {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// A first bond.
    pub(super) fn tie(&mut self) -> u64 {
        let bond = next();
        self.0.push(bond);
        bond
    }

    /// Exchanges a bond for a new one; `false` if it is not of this world.
    pub(super) fn renew(&mut self, bond: &mut u64) -> bool {
        let Some(held) = self.0.iter_mut().find(|held| *held == bond) else { return false };
        *held = next();
        *bond = *held;
        true
    }

    pub(super) fn has(&self, bond: u64) -> bool {
        self.0.contains(&bond)
    }

    pub(super) fn cut(&mut self, bond: u64) {
        self.0.retain(|&held| held != bond);
    }
}

/// A change of a schedule. A world that has gone back to a snapshot makes it once more.
pub(super) type Edit<W> = Box<dyn Fn(&mut Schedule<W>, &mut W) + Send + Sync>;

/// Changes that wait for the schedules of their names, in the order in which they were asked for. A copy of the world has
/// the same.
#[derive(Clone, Default)]
pub(crate) struct Edits(Vec<Waiting>);

/// A change that waits for the end of the stage, or for the next run.
#[derive(Clone)]
struct Waiting {
    schedule: &'static str,
    /// An [`Edit`] of the world.
    edit: Arc<dyn Any + Send + Sync>,
}

impl Edits {
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn push<W: World>(
        &mut self,
        schedule: &'static str,
        edit: impl FnOnce(&mut Schedule<W>, &mut W) + Clone + Send + Sync + 'static,
    ) {
        let edit: Edit<W> = Box::new(move |schedule, world| edit.clone()(schedule, world));
        self.0.push(Waiting { schedule, edit: Arc::new(edit) });
    }

    /// How many wait for a schedule.
    pub(super) fn count(&self, schedule: &str) -> usize {
        self.0.iter().filter(|waiting| waiting.schedule == schedule).count()
    }

    /// Takes the first that waits for a schedule.
    pub(super) fn take<W: World>(&mut self, schedule: &str) -> Option<Arc<Edit<W>>> {
        let at = self.0.iter().position(|waiting| waiting.schedule == schedule)?;
        self.0.remove(at).edit.downcast().ok()
    }
}

impl core::fmt::Debug for Edits {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Edits").field("len", &self.0.len()).finish()
    }
}
