//! Repeating a run, with a look at a value of the world after each step.

use std::mem::forget;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ecs::schedule::SystemStep;
use ecs::{Schedules, World};

use crate::history::Repeat;

/// Calls `look` with the world after each step of a run and, with `None`, after the run, even if it
/// has panicked.
///
/// # Panics
/// If `look` panics, at the end: the run itself may catch panics.
pub(crate) fn repeat<W: World>(
    world: &mut W,
    run: &Repeat<W>,
    look: impl FnMut(&W, Option<&SystemStep>) + Send + 'static,
) {
    let look = Arc::new(Mutex::new((look, None)));
    let watch = look.clone();
    world.watch_systems(move |world, step| {
        let (look, panic) = &mut *lock(&watch);
        if panic.is_none() {
            *panic = catch_unwind(AssertUnwindSafe(|| look(world, Some(step)))).err();
        }
    });
    _ = catch(|| run(world));
    world.stop_watching();
    let (look, panic) = &mut *lock(&look);
    match panic.take() {
        Some(payload) => resume_unwind(payload),
        None => look(world, None),
    }
}

/// The result of a function; `None` if it has panicked. The payload is not dropped, since its `Drop`
/// may panic.
pub(crate) fn catch<R>(f: impl FnOnce() -> R) -> Option<R> {
    catch_unwind(AssertUnwindSafe(f)).map_err(forget).ok()
}

/// The content of a mutex, even if a thread has panicked with it.
pub(crate) fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
