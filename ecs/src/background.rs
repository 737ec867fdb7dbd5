//! Work that takes longer than a tick: systems that run in the background, and the resource
//! [`Background`], which runs any function.
//!
//! Both own their input, so that they and the world never share data. They count ticks, not time: a
//! result arrives in the same tick on a fast and on a slow machine, since the tick waits for it if
//! need be.
//!
//! # Systems in the background
//! A system with `#[system(Game, background(ticks = 3))]` reads a copy of the world on a thread of
//! its own, while the world goes on. Its output arrives at its place in the schedule: `ticks = n`
//! counts the runs of the schedule after the one that has begun it, and `when_done` waits for the
//! first run of the schedule after the function has ended.
//!
//! ```
//! use ecs::prelude::*;
//!
//! #[derive(Component, Clone)]
//! struct Height(u64);
//! #[derive(Component, Clone)]
//! struct Peak;
//!
//! world! {
//!     #[derive(Clone)]                                    // the system reads a snapshot
//!     struct Game { components { Height, Peak } }
//!     schedule tick { erode; find_peak; }
//! }
//!
//! #[system(Game)]
//! fn erode(height: &mut Height) {
//!     height.0 -= 1;
//! }
//!
//! /// May take longer than a tick. Its commands are applied two ticks after it has begun, on every machine.
//! #[system(Game, background(ticks = 2))]
//! fn find_peak(heights: Query<(Entity, &Height)>, mut commands: ParCommands<Game>) {
//!     if let Some((peak, _)) = heights.iter().max_by_key(|(_, height)| height.0) {
//!         commands.insert(peak, Peak);
//!     }
//! }
//!
//! let mut game = Game::new();
//! game.spawn_batch([30, 80, 50].map(Height));
//! game.tick();                                            // begins a run
//! game.tick();
//! assert_eq!(game.query::<&Peak>().len(), 0);
//! game.tick();                                            // waits for the function if need be
//! let peak = game.query::<&Height>().filter::<With<Peak>>().single().unwrap().0;
//! assert_eq!(peak, 77);
//! ```
//!
//! ## Begin and end
//! - A place of the system has one run at a time. The schedule begins a run if none is under way.
//!   In the run of the schedule in which the output arrives no other begins, so that the next one
//!   reads a world with the output.
//! - A condition, `find_peak if is_wanted`, decides whether a run begins. The output of a run
//!   arrives whether the condition holds then or not, and runs of the schedule count in both cases.
//!   A system that is [switched off](crate::Schedules::enable) neither begins nor counts, and a run
//!   that is under way waits.
//! - At its place the system takes the whole world, since it takes a snapshot there: systems before
//!   it in the schedule end first. Events and commands are those of a system that ran at this
//!   place.
//! - [`World::run`](crate::World::run) runs the function at once, on the thread of the caller.
//!
//! ## Parameters
//! The function sees the world as it was when the run began: `Query` that only reads, `Res`,
//! `Lookup`, `Related`, [`Tick`](crate::system::Tick), or, for a function that is called for each
//! entity, `&T`, `Option<&T>`, `Entity` and filters. [`Changed`](crate::Changed) and
//! [`Added`](crate::Added) compare with the run before. It writes through
//! [`EventWriter`](crate::EventWriter), [`ParCommands`](crate::ParCommands),
//! [`Accumulator`](crate::Accumulator) and [`Local`](crate::Local). `Commands` is refused: an id
//! would have to be reserved in the world that goes on meanwhile. An entity that the function has
//! seen may be despawned when the commands are applied: use
//! [`despawn_if_alive`](crate::ParCommands::despawn_if_alive), and see
//! [`on_failed_command`](crate::World::on_failed_command). [`Cancelled`] tells a long function that
//! its output is not wanted any more.
//!
//! ## What happens to a run
//! - **Clone, snapshot, restore, rollback:** a copy of the world has the run, too, and gets the
//!   same output in the same tick. Commands cannot be cloned, so that one of the worlds takes the
//!   output, and each other one runs the function again, on the same input.
//! - **Save, `hash` and `diff`** contain the world as it was when the run began, and the runs of
//!   the schedule that are left: such a file is up to twice as large. The loaded world runs the
//!   function again, and gets the output in the same tick.
//! - **Cancel:** [`cancel_background`](BackgroundSystems::cancel_background) ends the run, and so
//!   does dropping the world. The output is dropped, and the function learns it from `Cancelled`,
//!   unless a copy of the world still has the run. The thread is not stopped by force, and the end
//!   of the program does not wait for it.
//! - **Panic:** the schedule panics at the place and in the tick at which the output would arrive,
//!   with the function's message.
//! - **Error:** a function `-> Result<(), E>` in a `schedule .. -> Result` fails there in the same
//!   way. In both cases its events and commands are dropped, and the next run of the schedule
//!   begins another run.
//!
//! ## Determinism
//! With `ticks = n` the world is the same, bit for bit, for any number of threads and on any
//! machine, as long as the function computes the same from the same input. With `when_done` the
//! tick depends on the machine: two runs of a program give different worlds.
//!
//! ## Cost
//! The begin of a run takes a [snapshot](crate::World::snapshot), which copies the pages of values
//! that were touched since the last one, and starts a thread. The copy that the function reads is
//! made on that thread, and takes the memory of the whole world until the function has ended.
//! `par_for_each` and its like use this one thread. In all other runs of the schedule, the system
//! costs a comparison. A schedule that waits for a function on a thread of a `rayon` pool does work
//! of the pool meanwhile, which the function may need.
//!
//! For work that needs a part of the world only, or that a system starts with a value as its input,
//! use the resource [`Background`]: its function owns any input, and returns any value.

pub(crate) mod param;
mod pool_work;
pub(crate) mod run;
#[cfg(feature = "serde")]
mod saved_run;
pub(crate) mod system;

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::sync::atomic::{AtomicBool, Ordering};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::resource::{IsResource, Resource, Unshared};

pub use param::BackgroundParam;
pub use system::{BackgroundOutput, BackgroundSystem, BackgroundSystems, BackgroundWorld};

/// A resource that runs one function at a time on a thread of its own, beside the ticks of the
/// world.
///
/// [`start`](Self::start) begins a run, and [`poll`](Self::poll) returns its result. A system calls
/// `poll` once in each tick. With [`after(n)`](Self::after) the result arrives in the `n`-th call
/// of `poll` after `start`, and that call waits for the function if it has not ended: the world
/// stays the same on every machine, as long as the function computes the same from the same input.
/// With [`when_done`](Self::when_done) the result arrives in the first call after the function has
/// ended, which depends on the machine.
///
/// ```
/// use ecs::background::Background;
/// use ecs::prelude::*;
///
/// #[derive(Component, Clone)]
/// struct Height(u64);
///
/// world! {
///     #[derive(Clone)]
///     struct Game {
///         components { Height }
///         resources { highest: Background<u64> = Background::after(2) }
///     }
///     schedule tick { start if is_idle; collect }
/// }
///
/// #[system(Game)]
/// fn is_idle(highest: Res<Background<u64>>) -> bool { !highest.is_running() }
///
/// /// Looks at a snapshot, on another thread, while the game goes on.
/// #[system(Game)]
/// fn start(game: &mut Game) {
///     let snapshot = game.snapshot();
///     game.resource_mut::<Background<u64>>().start(move |cancelled| {
///         let heights = snapshot.query::<&Height>();
///         heights.iter().take_while(|_| !cancelled.is_cancelled()).map(|height| height.0).max().unwrap_or(0)
///     });
/// }
///
/// /// Adds an entity with the result, two ticks later.
/// #[system(Game)]
/// fn collect(mut highest: ResMut<Background<u64>>, mut commands: Commands<Game>) {
///     if let Some(Ok(height)) = highest.poll() {
///         commands.spawn(Height(height + 1));
///     }
/// }
///
/// let mut game = Game::new();
/// game.spawn_batch([3, 8, 5].map(Height));
/// game.tick(); // starts the function, and counts 1
/// assert_eq!(game.entities().len(), 3);
/// game.tick(); // counts 2, and waits if need be
/// assert_eq!(game.entities().len(), 4);
/// ```
///
/// # What happens to a run
/// - **Clone, snapshot, restore:** a copy of the world has the run, too, and gets the same result
///   in the same tick. The function runs once.
/// - **Save, `hash` and `diff`** wait for the function, and contain its result and the calls of
///   `poll` that are left. A loaded world gets the result in the same tick as the world that was
///   saved.
/// - **Cancel:** [`cancel`](Self::cancel), another [`start`](Self::start), or dropping the world
///   ends the run: its result is dropped, and the function learns it from [`Cancelled`], unless a
///   copy of the world still has the run. The thread is not stopped by force.
/// - **Panic:** the function's panic is the run's result, [`JobPanicked`], in the same tick as a
///   value would be.
///
/// # Cost
/// A run starts a thread of the operating system, which pays for work that takes much longer than
/// that. `poll` without a run costs a comparison.
pub struct Background<T> {
    delay: Option<u32>,
    run: Option<Run<T>>,
}

/// A run that was started: the part of it that each copy of the world has for itself. Copies share
/// the job.
struct Run<T> {
    /// The number of calls of `poll` until the result arrives; `None` if it arrives when the job is
    /// done.
    left: Option<u32>,
    job: Arc<Job<T>>,
    /// Dropped with the last run of this job.
    _holder: Arc<Holder>,
}

/// The result of a function, or the text of its panic.
type JobResult<T> = Result<T, JobPanicked>;

/// A function that runs on another thread, and its result.
struct Job<T> {
    result: Mutex<Option<JobResult<T>>>,
    done: Condvar,
}

/// Cancels the job when it is dropped.
struct Holder(Cancelled);

/// Tells the function of a [`Background`], or a system that runs in the background, whether its
/// result is still wanted.
///
/// As a parameter of a system it is written `cancelled: Cancelled`. In a system that does not run
/// in the background, it is never cancelled.
#[derive(Clone, Default, Debug)]
pub struct Cancelled(Arc<AtomicBool>);

/// The function of a [`Background`] has panicked.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct JobPanicked {
    /// The message of the panic.
    pub message: String,
}

impl<T> Background<T> {
    /// The result of a run arrives in the `polls`-th call of [`poll`](Self::poll) after its start;
    /// 0 counts as 1.
    pub const fn after(polls: u32) -> Self {
        Self { delay: Some(if polls == 0 { 1 } else { polls }), run: None }
    }

    /// The result of a run arrives in the first call of [`poll`](Self::poll) after the function has
    /// ended. This tick depends on the machine: two runs of a program give different worlds.
    pub const fn when_done() -> Self {
        Self { delay: None, run: None }
    }

    /// Whether a run was started and its result has not arrived.
    pub const fn is_running(&self) -> bool {
        self.run.is_some()
    }

    /// Whether the function has ended, and its result is such that `f` is true.
    fn has_ended_with(&self, f: impl FnOnce(&T) -> bool) -> bool {
        let Some(run) = &self.run else { return false };
        let result = run.job.result.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(&*result, Some(Ok(result)) if f(result))
    }

    /// Ends the run, if there is one. Its result never arrives.
    pub fn cancel(&mut self) {
        self.run = None;
    }
}

impl<T: Clone + Send + 'static> Background<T> {
    /// Runs a function on another thread. An earlier run, whose result has not arrived, is
    /// cancelled.
    ///
    /// If the operating system gives no thread, the function runs at once, on this thread.
    pub fn start(&mut self, function: impl FnOnce(&Cancelled) -> T + Send + 'static) {
        let cancelled = Cancelled(Arc::new(AtomicBool::new(false)));
        let job = Arc::new(Job { result: Mutex::new(None), done: Condvar::new() });
        // in a cell that the thread and this function share, since a thread that does not start
        // drops its closure
        let function = Arc::new(Mutex::new(Some(function)));
        let (own_job, own_function, own_cancelled) = (job.clone(), function.clone(), cancelled.clone());
        let work = move || own_job.work(&own_function, &own_cancelled);
        if thread::Builder::new().name("ecs-background".to_owned()).spawn(work).is_err() {
            job.work(&function, &cancelled);
        }
        self.run = Some(Run { left: self.delay, job, _holder: Arc::new(Holder(cancelled)) });
    }

    /// Returns the result of the run in the tick in which it is due; `None` in all others, and if
    /// there is no run.
    ///
    /// # Errors
    /// If the function has panicked.
    pub fn poll(&mut self) -> Option<Result<T, JobPanicked>> {
        let run = self.run.as_mut()?;
        let result = match &mut run.left {
            None => run.job.lock().clone()?,
            Some(left) => {
                *left = left.saturating_sub(1); // it is 0 if the clone of a result has panicked before
                if *left > 0 {
                    return None;
                }
                run.job.wait()
            }
        };
        self.run = None;
        Some(result)
    }
}

impl<T: Clone> Job<T> {
    /// Calls the function, if no one else has, and stores its result.
    fn work(&self, function: &Mutex<Option<impl FnOnce(&Cancelled) -> T>>, cancelled: &Cancelled) {
        let Some(function) = function.lock().unwrap_or_else(PoisonError::into_inner).take() else { return };
        let result = catch_unwind(AssertUnwindSafe(|| function(cancelled)));
        let result = result.map_err(|payload| {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
            let message = text.unwrap_or("the payload is no text").to_owned();
            core::mem::forget(payload); // its drop could panic
            JobPanicked { message }
        });
        *self.lock() = Some(result);
        self.done.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Option<JobResult<T>>> {
        self.result.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the result. The function may need the `rayon` pool whose thread this is, so that
    /// the thread does work of the pool meanwhile.
    fn wait(&self) -> JobResult<T> {
        let mut result = self.lock();
        loop {
            if let Some(result) = &*result {
                return result.clone();
            }
            // a thread outside of a pool, or one that nests too many waits, only sleeps
            if !pool_work::may_help() {
                result = self.done.wait(result).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            // a thread of a pool sleeps for a moment, then does work of the pool: the function may
            // wait for that work
            let waited = self.done.wait_timeout(result, pool_work::PAUSE);
            let (waited, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
            result = waited;
            if timeout.timed_out() {
                // the function takes the same lock to store its result, and the work may do so, too
                drop(result);
                pool_work::help();
                result = self.lock();
            }
        }
    }
}

impl Cancelled {
    /// Whether the run was cancelled, so that the function may return any value.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        self.0.0.store(true, Ordering::Relaxed);
    }
}

clone!([T] Background<T> { delay, run });
clone!([T] Run<T> { left, job, _holder });

impl<T> fmt::Debug for Background<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = self.run.as_ref().map(|run| run.left);
        f.debug_struct("Background").field("delay", &self.delay).field("left", &left).finish_non_exhaustive()
    }
}

error!(JobPanicked, |this, f| write!(f, "a function in the background has panicked: {}", this.message));

impl<T: Send + 'static> Resource for Background<T> {
    const RESOURCE_NAME: &'static str = "Background";
}

#[diagnostic::do_not_recommend]
impl<T> IsResource for Background<T> {}

impl<T> Unshared for Background<T> {}

#[cfg(feature = "serde")]
mod saved {
    use super::{Arc, AtomicBool, Background, Cancelled, Condvar, Holder, Job, JobResult, Mutex, Run};
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    #[derive(Serialize, Deserialize)]
    #[serde(rename = "Background")]
    struct SavedBackground<T> {
        delay: Option<u32>,
        run: Option<SavedResult<T>>,
    }

    #[derive(Serialize, Deserialize)]
    struct SavedResult<T> {
        left: Option<u32>,
        result: JobResult<T>,
    }

    /// Waits for the function.
    impl<T: Clone + Serialize> Serialize for Background<T> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            let run = self.run.as_ref().map(|run| SavedResult { left: run.left, result: run.job.wait() });
            SavedBackground { delay: self.delay, run }.serialize(serializer)
        }
    }

    impl<'de, T: Deserialize<'de>> Deserialize<'de> for Background<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            let SavedBackground { delay, run } = SavedBackground::<T>::deserialize(deserializer)?;
            let lefts = [Some(delay), run.as_ref().map(|run| run.left)];
            if lefts.contains(&Some(Some(0))) {
                return Err(de::Error::custom("a `Background` whose result arrives after no call of `poll`"));
            }
            let run = run.map(|SavedResult { left, result }| Run {
                left,
                job: Arc::new(Job { result: Mutex::new(Some(result)), done: Condvar::new() }),
                _holder: Arc::new(Holder(Cancelled(Arc::new(AtomicBool::new(false))))),
            });
            Ok(Self { delay, run })
        }
    }
}
