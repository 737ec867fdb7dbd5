//! [`Run`]: a world, its steps, and what was measured. A panic in code of the program ends the run,
//! and not the window.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::recorder::Recorder;
use crate::sweep::Trial;

pub(super) struct Run<W> {
    model: Box<dyn Fn(&Trial) -> W>,
    step: Box<dyn FnMut(&mut W)>,
    pub(super) recorder: Recorder<W>,
    /// The trial that the world was made from.
    pub(super) trial: Trial,
    /// The world; `None` before the first run, or if the model has panicked there.
    pub(super) world: Option<W>,
    /// The number of steps since the world was made.
    pub(super) steps: u64,
    /// The message of a panic, after which there are no more steps.
    pub(super) failure: Option<String>,
}

impl<W> Run<W> {
    pub(super) fn new(model: Box<dyn Fn(&Trial) -> W>, step: Box<dyn FnMut(&mut W)>, trial: Trial) -> Self {
        Self { model, step, recorder: Recorder::new(), trial, world: None, steps: 0, failure: None }
    }

    /// Makes a world, changes it by `prepare`, and measures it. If the model panics, the former world
    /// stays, and has no more steps.
    pub(super) fn reset(&mut self, trial: Trial, prepare: impl FnOnce(&mut W)) {
        match guarded(|| (self.model)(&trial)) {
            Ok(world) => {
                let world = self.world.insert(world);
                (self.trial, self.steps, self.failure) = (trial, 0, None);
                self.recorder.clear();
                let recorder = &mut self.recorder;
                let result = guarded(|| {
                    prepare(world);
                    recorder.record(world, 0);
                });
                self.end_if(result);
            }
            Err(text) => self.failure = Some(text),
        }
    }

    /// Runs a step and measures the world, unless the run has ended.
    pub(super) fn step(&mut self) {
        let Self { step, recorder, world: Some(world), steps, failure: None, .. } = self else { return };
        let number = *steps + 1;
        let result = guarded(|| {
            step(world);
            recorder.record(world, number);
        });
        *steps = number;
        self.end_if(result);
    }

    /// Ends the run if a function of the program has panicked.
    pub(super) fn end_if<T>(&mut self, result: Result<T, String>) -> Option<T> {
        result.map_err(|text| self.failure = Some(text)).ok()
    }
}

/// Calls a function of the program. Returns the message of a panic as an error.
///
/// What the function was changing may be half done: the run ends, and a reset makes a new world.
pub(super) fn guarded<T>(f: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(f)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
        text.unwrap_or("a panic without a message").to_owned()
    })
}
