//! Repeating a run, with a look at the world after each step.

use std::any::Any;
use std::mem::{forget, take};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ecs::schedule::SystemStep;
use ecs::{Schedules, World};

use crate::history::Repeat;

/// A function that looks at the steps of a run, and what it has found.
struct Looking<L, F> {
    look: L,
    found: F,
    panic: Option<Box<dyn Any + Send>>,
}

/// Calls `look` with the world after each step of a run and, with `None`, after the run, even if it
/// has panicked. Returns what `look` has found, which each call gets.
///
/// # Panics
/// If `look` panics, at the end: the run itself may catch panics.
pub(crate) fn repeat<W: World, F: Default + Send + 'static>(
    world: &mut W,
    run: &Repeat<W>,
    look: impl FnMut(&mut F, &W, Option<&SystemStep>) + Send + 'static,
) -> F {
    // shared, since a run may keep a world that it has replaced, with the function that watches it
    let looking = Arc::new(Mutex::new(Looking { look, found: F::default(), panic: None }));
    let watch = looking.clone();
    world.watch_systems(move |world, step| {
        let Looking { look, found, panic } = &mut *lock(&watch);
        if panic.is_none() {
            *panic = catch_unwind(AssertUnwindSafe(|| look(found, world, Some(step)))).err();
        }
    });
    _ = catch(|| run(world));
    world.stop_watching();
    let Looking { look, found, panic } = &mut *lock(&looking);
    if let Some(payload) = panic.take() {
        resume_unwind(payload);
    }
    look(found, world, None);
    take(found)
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
