//! Schedules: the systems of a world in the order in which they are written.
//!
//! `world!` makes a method of each `schedule` block; the method is a [`ScheduleRun`] with a call for each system. The
//! state of each place, a schedule and a position in it, belongs to the world.
#![expect(unsafe_code, reason = "systems are run with a cell of the world, one after the other")]

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, Ordering};

use crate::change::Ticks;
use crate::system::{PlaceState, Runnable};
use crate::world::{World, WorldCell, discard};

/// The states of the systems of a world's schedules.
#[derive(Clone, Default, Debug)]
pub struct Places {
    schedules: Vec<Schedule>,
    /// Whether the places are being made right now, so that readers subscribe.
    subscribing: bool,
}

#[derive(Default, Debug)]
struct Schedule {
    places: Vec<PlaceState>,
    /// Whether one of its exclusive systems is running: the only time at which the schedule could be called again. The
    /// flag goes with the world, wherever such a system moves it. There is none before the first of them has run.
    busy: Option<Arc<AtomicBool>>,
}

/// The clone is not running; the place of an exclusive system that is has no state in it, and begins anew.
impl Clone for Schedule {
    fn clone(&self) -> Self {
        Self { places: self.places.clone(), busy: None }
    }
}

impl Places {
    /// No places.
    pub const fn new() -> Self {
        Self { schedules: Vec::new(), subscribing: false }
    }

    pub(crate) fn subscribing(&self) -> bool {
        self.subscribing
    }

    fn state(&mut self, schedule: usize, place: usize) -> Option<&mut PlaceState> {
        self.schedules.get_mut(schedule)?.places.get_mut(place)
    }

    #[inline]
    fn is_busy(&self, schedule: usize) -> bool {
        let busy = self.schedules.get(schedule).and_then(|schedule| schedule.busy.as_ref());
        busy.is_some_and(|busy| busy.load(Ordering::Relaxed))
    }

    fn busy(&mut self, schedule: usize) -> Option<Arc<AtomicBool>> {
        Some(self.schedules.get_mut(schedule)?.busy.get_or_insert_default().clone())
    }
}

/// How a system's state begins.
pub(crate) type Init<W> = fn(&mut W) -> PlaceState;

/// Makes the states of all places of all schedules of a new world.
pub fn init_places<W: World>(world: &mut W, schedules: &[&[Init<W>]]) {
    // SAFETY: the world is borrowed mutably, and the borrow of its places ends with the statement.
    unsafe { WorldCell::new(world).places_mut() }.subscribing = true;
    let schedules = schedules
        .iter()
        .map(|places| Schedule { places: places.iter().map(|init| init(world)).collect(), busy: None })
        .collect();
    // SAFETY: as above.
    *unsafe { WorldCell::new(world).places_mut() } = Places { schedules, subscribing: false };
}

/// One run of a schedule.
#[derive(Debug)]
pub struct ScheduleRun<'w, W: World> {
    world: &'w mut W,
    schedule: usize,
}

impl<'w, W: World> ScheduleRun<'w, W> {
    /// Begins a run.
    ///
    /// # Panics
    /// If the schedule is running already, further up the call stack.
    #[inline]
    pub fn new(world: &'w mut W, schedule: usize, name: &str) -> Self {
        // SAFETY: the world is borrowed mutably, and the borrow of its places ends with the statement.
        let busy = unsafe { WorldCell::new(world).places_mut() }.is_busy(schedule);
        assert!(!busy, "schedule `{name}` of world `{}` was called from inside itself", W::NAME);
        Self { world, schedule }
    }

    /// Runs the system at a place.
    #[inline]
    pub fn system<Out>(&mut self, place: usize, system: Runnable<W, Out>) -> Out {
        if system.exclusive() {
            return self.exclusive(place, system);
        }
        let cell = WorldCell::new(self.world);
        // SAFETY: the world is borrowed mutably, and the borrow of the entities ends with the statement.
        let this_run = unsafe { cell.entities_mut() }.next_tick();
        // SAFETY: no system but an exclusive one reaches the places.
        let state =
            unsafe { cell.places_mut() }.state(self.schedule, place).expect("every place has a state");
        let ticks = Ticks { this_run, ..state.ticks };
        // SAFETY: the world is borrowed mutably, and this system alone is running; it does not reach the places.
        let out = unsafe { system.run(cell.at(&ticks), state) };
        state.ticks.last_run = this_run;
        out
    }

    /// Runs a system that can do anything with the world, its own places included: its state is outside meanwhile.
    fn exclusive<Out>(&mut self, place: usize, system: Runnable<W, Out>) -> Out {
        struct Outside<'r, 'w, W: World> {
            run: &'r mut ScheduleRun<'w, W>,
            place: usize,
            state: PlaceState,
            busy: Arc<AtomicBool>,
        }
        impl<W: World> Drop for Outside<'_, '_, W> {
            fn drop(&mut self) {
                self.busy.store(false, Ordering::Relaxed);
                if let Some(place) = self.run.place(self.place) {
                    core::mem::swap(place, &mut self.state);
                }
            }
        }
        let state = self.place(place).and_then(PlaceState::take);
        let state = state.unwrap_or_else(|| system.init(self.world));
        // SAFETY: the world is borrowed mutably, and the borrow of its places ends with the statement.
        let busy = unsafe { WorldCell::new(self.world).places_mut() }.busy(self.schedule);
        let mut outside = Outside { run: self, place, state, busy: busy.unwrap_or_default() };
        outside.busy.store(true, Ordering::Relaxed);
        let cell = WorldCell::new(outside.run.world);
        // SAFETY: the world is borrowed mutably, and the borrow of the entities ends with the statement.
        let ticks = Ticks { this_run: unsafe { cell.entities_mut() }.next_tick(), ..outside.state.ticks };
        // SAFETY: the world is borrowed mutably, nothing of it is lent, and the state is outside.
        let out = unsafe { system.run(cell.at(&ticks), &mut outside.state) };
        outside.state.ticks.last_run = ticks.this_run;
        out
    }

    fn place(&mut self, place: usize) -> Option<&mut PlaceState> {
        // SAFETY: the world is borrowed mutably by `self`, and nothing of it is lent.
        unsafe { WorldCell::new(self.world).places_mut() }.state(self.schedule, place)
    }
}

impl<W: World> Drop for ScheduleRun<'_, W> {
    fn drop(&mut self) {
        self.world.__trim_events();
        discard::trim(self.world);
    }
}
