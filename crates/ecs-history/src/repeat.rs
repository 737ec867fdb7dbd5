//! Repeating a run, with a look at a value of the world after each step.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ecs::schedule::SystemStep;
use ecs::{Schedules, World};

use crate::history::Repeat;

/// Calls `look` with the world after each step of a run and, with `None`, after the run. Returns
/// whether the run has ended without a panic.
pub(crate) fn repeat<W: World>(
    world: &mut W,
    run: &Repeat<W>,
    look: impl FnMut(&W, Option<&SystemStep>) + Send + 'static,
) -> bool {
    let look = Arc::new(Mutex::new(look));
    let watch = look.clone();
    world.watch_systems(move |world, step| lock(&watch)(world, Some(step)));
    let ended = catch_unwind(AssertUnwindSafe(|| run(world))).is_ok();
    world.stop_watching();
    if ended {
        lock(&look)(world, None);
    }
    ended
}

/// The content of a mutex, even if a thread has panicked with it.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
