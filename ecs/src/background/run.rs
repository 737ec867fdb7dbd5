//! [`BackgroundRun`]: the run of a system in the background, from its start to the run of the
//! schedule that takes over its output.
//!
//! A run keeps its input, so that it can be repeated: commands cannot be cloned, so that of several
//! copies of a world one takes the output, and the others run the function again on the same input.
//! A loaded world does the same.

use alloc::sync::Arc;
use alloc::vec::Vec;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::{Background, Cancelled, JobPanicked};
use crate::raw_world::SnapshotWorld;
use crate::schedule::output::Failure;
use crate::schedule::states::{self, ScheduleStates};
use crate::system::local::LocalState;
use crate::system::shared_param::SharedOutput;

/// The outcome of a run: the outputs of the parameters, and the result of the function.
pub(crate) struct Output {
    pub(crate) parameters: Vec<SharedOutput>,
    pub(crate) result: Result<(), Failure>,
}

/// The output of a run, which the copies of a world share. The first one that needs it takes it.
type SharedRunOutput = Arc<Mutex<Option<Output>>>;

/// The state of a system in the background: the tick at which it last began a run, and the run that
/// is under way.
pub struct BackgroundRun<W> {
    pub(super) started: u64,
    pub(super) under_way: Option<UnderWay<W>>,
}

/// The part of a system's state with its runs, and the functions that save it.
pub(super) struct RunState<W>(pub(super) LocalState<BackgroundRun<W>>);

clone!([W] RunState<W> { 0 });

/// A run that was started: the part of it that each copy of the world has for itself.
pub(super) struct UnderWay<W> {
    /// The number of runs of the schedule until the output arrives; `None` if it arrives when the
    /// function has ended.
    pub(super) left: Option<u32>,
    /// The tick at which the run before began.
    pub(super) last_run: u64,
    pub(super) input: Arc<Input<W>>,
    /// Not running in a loaded world, before the next run of the schedule.
    job: Background<SharedRunOutput>,
}

/// The world that a run reads.
pub(super) struct Input<W> {
    /// The world of a snapshot, or of a file, without the states of its systems.
    pub(super) world: W,
    /// The world in the compact form, once it was saved.
    pub(super) bytes: OnceLock<Vec<u8>>,
}

impl<W: SnapshotWorld> Input<W> {
    /// A snapshot of a world. It has no states of systems: a snapshot within the state of another
    /// system would keep the one before alive, and so on.
    pub(super) fn of(world: &mut W) -> Arc<Self> {
        Self::without_states(world.__freeze())
    }

    pub(super) fn without_states(mut world: W) -> Arc<Self> {
        *states::of_mut(&mut world) = ScheduleStates::new();
        Arc::new(Self { world, bytes: OnceLock::new() })
    }
}

/// The function of a run: it gets the input, the ticks at which the run before and this one began,
/// and the outputs to write to.
pub(super) type RunFunction<W> = fn(&W, [u64; 2], Vec<SharedOutput>) -> Output;

impl<W> BackgroundRun<W> {
    /// Begins a run at a tick. The output arrives in the `delay`-th call of [`poll`](Self::poll).
    pub(super) fn start(&mut self, input: Arc<Input<W>>, tick: u64, delay: Option<u32>) {
        let last_run = core::mem::replace(&mut self.started, tick);
        self.under_way = Some(UnderWay { left: delay, last_run, input, job: Background::when_done() });
    }

    /// Counts a run of the schedule, and returns the output if it is due. Waits for the function if
    /// need be.
    ///
    /// # Errors
    /// If the function has panicked.
    pub(super) fn poll(&mut self, delay: Option<u32>) -> Option<Result<Option<Output>, JobPanicked>> {
        let run = self.under_way.as_mut()?;
        // the program of a loaded world may declare another delay
        run.left = delay.map(|most| run.left.unwrap_or(most).min(most));
        if let Some(left) = &mut run.left {
            *left = left.saturating_sub(1);
            if *left > 0 {
                return None;
            }
        }
        let output = run.job.poll()?;
        Some(output.map(|output| lock(&output).take()))
    }

    /// Ends the run, and returns its input with the ticks.
    pub(super) fn end(&mut self) -> Option<(Arc<Input<W>>, [u64; 2])> {
        let run = self.under_way.take()?;
        Some((run.input, [run.last_run, self.started]))
    }

    /// Ends the run. Returns whether there was one.
    pub(crate) fn cancel(&mut self) -> bool {
        self.under_way.take().is_some()
    }

    /// Whether a run is under way.
    pub(crate) fn is_running(&self) -> bool {
        self.under_way.is_some()
    }
}

impl<W: Send + Sync + 'static> BackgroundRun<W> {
    /// Lets the function of the run work, unless it does or has. `outputs` makes the outputs that
    /// the function writes to.
    pub(super) fn work(&mut self, function: RunFunction<W>, outputs: &mut dyn FnMut() -> Vec<SharedOutput>) {
        let Some(run) = &mut self.under_way else { return };
        // another copy of the world has taken the output
        let is_taken = run.job.has_ended_with(|output| lock(output).is_none());
        if run.job.is_running() && !is_taken {
            return;
        }
        let (ticks, input, outputs) = ([run.last_run, self.started], run.input.clone(), outputs());
        run.job = if run.left.is_some() { Background::after(1) } else { Background::when_done() };
        run.job.start(move |cancelled| {
            let output = cancelled.within(|| function(&input.world, ticks, outputs));
            drop(input);
            Arc::new(Mutex::new(Some(output)))
        });
    }
}

impl<W> UnderWay<W> {
    /// A run that was saved.
    #[cfg(feature = "serde")]
    pub(super) fn loaded(left: Option<u32>, last_run: u64, input: Arc<Input<W>>) -> Self {
        Self { left, last_run, input, job: Background::when_done() }
    }
}

fn lock(output: &SharedRunOutput) -> std::sync::MutexGuard<'_, Option<Output>> {
    output.lock().unwrap_or_else(PoisonError::into_inner)
}

std::thread_local! {
    /// The [`Cancelled`] of the run on this thread.
    static CANCELLED: core::cell::RefCell<Option<Cancelled>> = const { core::cell::RefCell::new(None) };
}

impl Cancelled {
    /// Calls `f`, a run on this thread, in which [`current`](Self::current) returns a clone of
    /// `self`.
    fn within<R>(&self, f: impl FnOnce() -> R) -> R {
        struct Before(Option<Cancelled>);
        impl Drop for Before {
            fn drop(&mut self) {
                CANCELLED.set(self.0.take());
            }
        }
        let _before = Before(CANCELLED.replace(Some(self.clone())));
        f()
    }

    /// The `Cancelled` of the run on this thread. Without a run, it is never cancelled.
    pub(super) fn current() -> Self {
        CANCELLED.with_borrow(|current| current.clone().unwrap_or_default())
    }
}

impl<W> Default for BackgroundRun<W> {
    fn default() -> Self {
        Self { started: 0, under_way: None }
    }
}

clone!([W] BackgroundRun<W> { started, under_way });

clone!([W] UnderWay<W> { left, last_run, input, job });
debug!([W] BackgroundRun<W>, |this, f| {
    let left = this.under_way.as_ref().map(|run| run.left);
    f.debug_struct("BackgroundRun").field("started", &this.started).field("left", &left).finish()
});
