//! [`Outputs`] and [`FirstPanic`]: what the visits of a loop on several threads leave behind, in
//! the order of the slots.

#[cfg(feature = "std")]
use alloc::boxed::Box;
use alloc::vec::Vec;
#[cfg(feature = "std")]
use core::any::Any;
use core::ops::Range;

use crate::base::lock::Lock;

/// The outputs of visits, one for each run of slots that a runner has visited without a gap.
pub(super) struct Outputs<O> {
    /// The outputs of each runner, with their slots. Empty for outputs without a size, which are
    /// not kept.
    runners: Vec<Lock<OutputsOfRunner<O>>>,
}

/// The outputs of a runner, each with its slots, in the order in which they were visited.
type OutputsOfRunner<O> = Vec<(Range<usize>, O)>;

impl<O> Outputs<O> {
    const KEPT: bool = size_of::<O>() > 0;

    pub(super) fn new(runners: usize) -> Self {
        let kept = if Self::KEPT { runners } else { 0 };
        Self { runners: (0..kept).map(|_| Lock::new(Vec::new())).collect() }
    }

    /// Calls `visit` with the output for these slots: the one of the slots before, if the runner
    /// has just visited them, or a new one.
    pub(super) fn with(
        &self,
        runner: usize,
        slots: Range<usize>,
        new: impl FnOnce() -> O,
        visit: impl FnOnce(&mut O),
    ) {
        if !Self::KEPT {
            return visit(&mut new());
        }
        self.runners[runner].with(|outputs| {
            let last = match outputs.pop() {
                Some((before, output)) if before.end == slots.start => (before.start..slots.end, output),
                other => {
                    outputs.extend(other);
                    (slots, new())
                }
            };
            outputs.push(last);
            let (_, output) = outputs.last_mut().expect("pushed above");
            visit(output);
        });
    }

    /// All outputs, in the order of their slots.
    pub(super) fn in_order(self) -> Vec<O> {
        let mut all = Vec::new();
        for runner in self.runners {
            runner.with(|outputs| all.append(outputs));
        }
        all.sort_unstable_by_key(|(slots, _)| slots.start);
        all.into_iter().map(|(_, output)| output).collect()
    }
}

/// The panic for the lowest slot, if there was one.
pub(super) struct FirstPanic {
    #[cfg(feature = "std")]
    first: Lock<Option<(usize, Box<dyn Any + Send>)>>,
}

#[cfg(feature = "std")]
impl FirstPanic {
    pub(super) fn new() -> Self {
        Self { first: Lock::new(None) }
    }

    /// Notes the panic of the visit of a slot.
    #[cold]
    pub(super) fn note(&self, slot: usize, payload: Box<dyn Any + Send>) {
        let other = self.first.with(|first| match first {
            Some((before, _)) if *before < slot => Some(payload),
            _ => first.replace((slot, payload)).map(|(_, payload)| payload),
        });
        core::mem::forget(other); // the drop of a panic payload could panic
    }

    /// Returns the outputs; or resumes the panic, after the outputs were dropped.
    pub(super) fn resume<O>(&self, outputs: Vec<O>) -> Vec<O> {
        use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

        let Some((_, payload)) = self.first.with(Option::take) else { return outputs };
        // a drop that panics while the payload unwinds would abort the process
        if let Err(other) = catch_unwind(AssertUnwindSafe(|| drop(outputs))) {
            core::mem::forget(other); // the drop of a panic payload could panic
        }
        resume_unwind(payload)
    }
}

#[cfg(not(feature = "std"))]
impl FirstPanic {
    pub(super) fn new() -> Self {
        Self {}
    }

    /// Returns the outputs: without `std`, a panic is not caught.
    pub(super) fn resume<O>(&self, outputs: Vec<O>) -> Vec<O> {
        outputs
    }
}
