//! What the systems of a world's schedules remember.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;
use core::sync::atomic::{AtomicBool, Ordering};

use super::plan::Plan;
use super::timing::Clock;
use crate::command::stray::Strays;
use crate::system::PlaceState;
use crate::world::{World, WorldCell};

/// The states of the systems of a world's schedules.
#[derive(Clone, Default, Debug)]
pub struct Places {
    pub(super) schedules: Vec<States>,
    /// Whether the places are being made right now, so that readers subscribe.
    subscribing: bool,
    pub(crate) strays: Strays,
}

/// The states of one schedule.
#[derive(Default, Debug)]
pub(crate) struct States {
    pub(super) places: Vec<PlaceState>,
    /// For each node whether it is switched off; empty if none ever was.
    pub(super) disabled: Vec<bool>,
    pub(super) clock: Clock,
    /// Whether one of its exclusive systems is running: the only time at which the schedule could be called again. The
    /// flag goes with the world, wherever such a system moves it. There is none before the first of them has run.
    busy: Option<Arc<AtomicBool>>,
}

/// The clone is not running; the place of an exclusive system that is has no state in it, and begins anew.
impl Clone for States {
    fn clone(&self) -> Self {
        let (places, disabled) = (self.places.clone(), self.disabled.clone());
        Self { places, disabled, clock: Clock::default(), busy: None }
    }
}

impl Places {
    /// No places.
    pub const fn new() -> Self {
        Self { schedules: Vec::new(), subscribing: false, strays: Strays::new() }
    }

    pub(crate) fn subscribing(&self) -> bool {
        self.subscribing
    }
}

impl States {
    /// The first states of a schedule's places.
    pub(super) fn new<W: World>(world: &mut W, plan: &Plan<W>) -> Self {
        let mut places = Vec::new();
        for entry in &plan.entries {
            entry.node.init(world, &mut places);
        }
        Self { places, ..Self::default() }
    }

    /// Whether an exclusive system is running.
    #[inline]
    pub(super) fn is_busy(&self) -> bool {
        self.busy.as_ref().is_some_and(|busy| busy.load(Ordering::Relaxed))
    }

    pub(super) fn busy(&mut self) -> Arc<AtomicBool> {
        self.busy.get_or_insert_default().clone()
    }

    /// The states of some places.
    #[inline]
    pub(super) fn of(&mut self, places: Range<usize>) -> Option<&mut [PlaceState]> {
        self.places.get_mut(places)
    }

    #[inline]
    pub(super) fn is_disabled(&self, node: usize) -> bool {
        self.disabled.get(node).is_some_and(|&disabled| disabled)
    }
}

/// Makes the states of all places of all schedules of a new world.
#[expect(unsafe_code, reason = "the world is borrowed mutably")]
pub fn init_places<W: World>(world: &mut W) {
    // SAFETY: the world is borrowed mutably, and the borrow of its places ends with the statement.
    unsafe { WorldCell::new(world).places_mut() }.subscribing = true;
    let schedules = W::SCHEDULES.iter().map(|plan| States::new(world, plan)).collect();
    // SAFETY: as above.
    let places = unsafe { WorldCell::new(world).places_mut() };
    (places.schedules, places.subscribing) = (schedules, false);
}
