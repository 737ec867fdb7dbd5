//! Repeating a run, with a look at a value of the world after each step.

use std::mem::forget;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ecs::schedule::SystemStep;
use ecs::{Schedules, World};

use crate::history::Repeat;

/// Calls `look` with the world after each step of a run and, with `None`, after the run, even if it
/// has panicked. A panic of `look` goes on.
pub(crate) fn repeat<W: World>(
    world: &mut W,
    run: &Repeat<W>,
    look: impl FnMut(&W, Option<&SystemStep>) + Send + 'static,
) {
    let look = Arc::new(Mutex::new(look));
    let watch = look.clone();
    world.watch_systems(move |world, step| lock(&watch)(world, Some(step)));
    let ended = catch_unwind(AssertUnwindSafe(|| run(world)));
    world.stop_watching();
    match ended {
        Err(payload) if look.is_poisoned() => resume_unwind(payload),
        ended => forget(ended), // the drop of a payload may panic
    }
    lock(&look)(world, None);
}

/// The result of a function; `None` if it has panicked.
pub(crate) fn catch<R>(f: impl FnOnce() -> R) -> Option<R> {
    catch_unwind(AssertUnwindSafe(f)).map_err(forget).ok()
}

/// The content of a mutex, even if a thread has panicked with it.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
