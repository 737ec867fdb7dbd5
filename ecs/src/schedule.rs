//! Schedules: the systems of a world in the order in which they are written.
//!
//! `world!` makes a method of each `schedule` block; the method is a [`ScheduleRun`] with a call for each system. The
//! state of each place, a schedule and a position in it, belongs to the world.
#![expect(unsafe_code, reason = "systems are run with a cell of the world, one after the other")]

use alloc::vec::Vec;

use crate::system::PlaceState;
use crate::world::{World, WorldCell};

/// The states of the systems of a world's schedules.
#[derive(Clone, Default, Debug)]
pub struct Places {
    schedules: Vec<Schedule>,
    /// Whether the places are being made right now, so that readers subscribe.
    subscribing: bool,
}

#[derive(Clone, Default, Debug)]
struct Schedule {
    places: Vec<PlaceState>,
    running: bool,
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

    fn running(&mut self, schedule: usize) -> Option<&mut bool> {
        Some(&mut self.schedules.get_mut(schedule)?.running)
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
        .map(|places| Schedule { places: places.iter().map(|init| init(world)).collect(), running: false })
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
    pub fn new(world: &'w mut W, schedule: usize, name: &str) -> Self {
        // SAFETY: the world is borrowed mutably, and the borrow of its places ends with the statement.
        if let Some(running) = unsafe { WorldCell::new(world).places_mut() }.running(schedule) {
            assert!(!*running, "schedule `{name}` of world `{}` was called from inside itself", W::NAME);
            *running = true;
        }
        Self { world, schedule }
    }

    /// Runs the system at a place.
    ///
    /// # Safety
    /// `exclusive` and `run` are those of one [`System`](crate::System) whose parameters were checked, and the state
    /// at this place was made by its `init`.
    #[inline]
    pub unsafe fn system<Out>(
        &mut self,
        place: usize,
        exclusive: bool,
        run: unsafe fn(WorldCell<'_, W>, &mut PlaceState) -> Out,
    ) -> Out {
        if exclusive {
            return self.exclusive(place, run);
        }
        let cell = WorldCell::new(self.world);
        // SAFETY: no system but an exclusive one reaches the places.
        let state =
            unsafe { cell.places_mut() }.state(self.schedule, place).expect("every place has a state");
        // SAFETY: the world is borrowed mutably, and this system alone is running.
        unsafe { run(cell, state) }
    }

    /// Runs a system that can do anything with the world, its own places included: its state is outside meanwhile.
    fn exclusive<Out>(
        &mut self,
        place: usize,
        run: unsafe fn(WorldCell<'_, W>, &mut PlaceState) -> Out,
    ) -> Out {
        struct Outside<'r, 'w, W: World>(&'r mut ScheduleRun<'w, W>, usize, PlaceState);
        impl<W: World> Drop for Outside<'_, '_, W> {
            fn drop(&mut self) {
                if let Some(place) = self.0.place(self.1) {
                    core::mem::swap(place, &mut self.2);
                }
            }
        }
        let state = self.place(place).map(|place| core::mem::replace(place, PlaceState::none()));
        let mut outside = Outside(self, place, state.expect("every place has a state"));
        let Outside(this, _, state) = &mut outside;
        // SAFETY: the world is borrowed mutably, nothing of it is lent, and the state is outside.
        unsafe { run(WorldCell::new(this.world), state) }
    }

    fn place(&mut self, place: usize) -> Option<&mut PlaceState> {
        // SAFETY: the world is borrowed mutably by `self`, and nothing of it is lent.
        unsafe { WorldCell::new(self.world).places_mut() }.state(self.schedule, place)
    }
}

impl<W: World> Drop for ScheduleRun<'_, W> {
    fn drop(&mut self) {
        // SAFETY: the world is borrowed mutably by `self`, and nothing of it is lent.
        if let Some(running) = unsafe { WorldCell::new(self.world).places_mut() }.running(self.schedule) {
            *running = false;
        }
        self.world.__trim_events();
    }
}
