//! [`TimeMachine`]: a history that a program shares with its tools, and [`Timeline`], which the
//! tools see of it: they do not know the type of the world.

use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut, Range};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::{fmt, thread};

use ecs::error::SystemError;
use ecs::reflect::{DynamicValue, NameKind, ReflectMut, ReflectRef, ReflectWorld};
use ecs::save::{self, Difference, Saved};
use ecs::schedule::SystemStep;
use ecs::world::SnapshotWorld;
use ecs::{Entity, Schedule, World};

use crate::changes::Change;
use crate::error::{NoSuchRun, TimelineError};
use crate::history::History;
use crate::inside::Inside;
use crate::limit::Limit;
use crate::repeat::lock;

/// A [`History`] that a program shares with its tools: with an inspector, and with the clients of
/// its server (see [`methods`](Self::methods)). A clone is another handle of the same history.
///
/// ```
/// use ecs::prelude::*;
/// use ecs::reflect::ReflectWorld;
/// use ecs_history::{Limit, Place, TimeMachine, Timeline};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Component, Clone, Serialize, Deserialize)] struct Gold(u32);
/// world! {
///     #[derive(Clone, Serialize, Deserialize, Reflect)]
///     struct Game { components { Gold } }
///     schedule tick { earn; spend }
/// }
/// #[system(Game)] fn earn(gold: &mut Gold) { gold.0 += 5; }
/// #[system(Game)] fn spend(gold: &mut Gold) { gold.0 -= 2; }
///
/// let mut game = Game::new();
/// let purse = game.spawn(Gold(0));
/// let machine = TimeMachine::new(Limit::runs(600));
/// for _ in 0..10 {
///     machine.run(&mut game, Game::tick);
/// }
/// // a tool: inside of run 4, after the first of its systems
/// machine.go_to(&mut game.reflect_mut(), Place { run: 4, step: 1 })?;
/// assert_eq!(game.get::<Gold>(purse).unwrap().0, 4 * 3 + 5);
/// let changes = machine.changes(game.reflect(), Some(purse), "Gold", 2)?;
/// assert_eq!((changes[1].run, changes[1].cause.to_string()), (9, "spend".into()));
/// # Ok::<(), ecs_history::TimelineError>(())
/// ```
pub struct TimeMachine<W: SnapshotWorld> {
    shared: Arc<Mutex<Shared<W>>>,
    /// Whether a run is made or repeated: its systems cannot use the history.
    busy: Arc<AtomicBool>,
}

struct Shared<W: SnapshotWorld> {
    history: History<W>,
    /// The run that the world is inside of.
    inside: Option<Inside<W>>,
    /// The runs that have panicked.
    failed: BTreeSet<u64>,
}

/// A place in a history: before a run, or inside of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Place {
    /// The number of the run.
    pub run: u64,
    /// The number of steps of the run that were made: systems, and commands of systems.
    pub step: usize,
}

/// Writes `12`, or `12.3` after three steps of run 12.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.step {
            0 => write!(f, "{}", self.run),
            step => write!(f, "{}.{step}", self.run),
        }
    }
}

/// The state of a history, for a tool that shows it.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct TimelineState {
    /// The numbers of the runs that the history has.
    pub runs: Range<u64>,
    /// The place of the world. At the end of the history, its run is the one that comes next.
    pub place: Place,
    /// The steps of the run that the world is inside of; empty if it is between two runs.
    pub steps: Vec<SystemStep>,
    /// The runs that have panicked.
    pub failed: Vec<u64>,
    /// The runs of the futures that were given up.
    pub branches: Vec<Range<u64>>,
    /// The memory of the snapshots, as [`History::bytes`].
    pub bytes: usize,
}

/// A history as tools see it: worlds are handles, and values have names. [`TimeMachine`] implements
/// it.
///
/// A function that reads the history may repeat runs in a copy of the world, so that what a run
/// does outside of the world, such as printing, is done again. The systems of a run cannot use the
/// history: a server answers its clients between two runs. Handles show what they allow: a
/// handle for reading cannot be moved, and the names of values are looked up in it.
pub trait Timeline: fmt::Debug + Send {
    /// The runs, and the place of the world.
    ///
    /// # Errors
    /// If a run is being made or repeated.
    fn state(&self) -> Result<TimelineState, TimelineError>;

    /// Brings the world to a place. Changes that were made inside of a run are dropped.
    ///
    /// # Errors
    /// If the history does not have the place, or the handle is that of another world or for
    /// reading only.
    fn go_to(&self, world: &mut ReflectMut<'_>, place: Place) -> Result<(), TimelineError>;

    /// Makes one step, or takes one back: a system, or the commands of a system. After the last step
    /// of a run comes the place before the next run. Returns whether there is such a place.
    ///
    /// # Errors
    /// As [`go_to`](Self::go_to).
    fn step(&self, world: &mut ReflectMut<'_>, forward: bool) -> Result<bool, TimelineError>;

    /// Goes to before the next step of this name, in this run or a later one: as
    /// [`Inside::run_to`]. Returns whether there is one; otherwise the world stays where it is.
    ///
    /// # Errors
    /// As [`go_to`](Self::go_to).
    fn run_to(&self, world: &mut ReflectMut<'_>, name: &str) -> Result<bool, TimelineError>;

    /// The entity with an id such as `12v3`, alive or not.
    fn entity(&self, world: ReflectRef<'_>, id: &str) -> Option<Entity> {
        crate::methods::entity_of(&world, id)
    }

    /// The latest changes of a component of an entity or, with `None`, of a resource, or of a part
    /// of one, such as `Health.now`; at least `most` of them if there are as many, the oldest first.
    ///
    /// # Errors
    /// If the world has no such component or resource, or the handle does not show it.
    fn changes(
        &self,
        world: ReflectRef<'_>,
        entity: Option<Entity>,
        path: &str,
        most: usize,
    ) -> Result<Vec<Change<Option<DynamicValue>>>, TimelineError>;

    /// The differences between the worlds before two runs; the number after the last run stands for
    /// the end of the history.
    ///
    /// # Errors
    /// If the history does not have the runs, or the handle is that of another world.
    fn differences(
        &self,
        world: ReflectRef<'_>,
        first: u64,
        second: u64,
    ) -> Result<Vec<Difference>, TimelineError>;

    /// The runs in which an event was sent, by a system or, before the next run, by the program. A
    /// run whose state was [thinned out](History::thin) counts as a part of the run before it.
    ///
    /// Cost: a restore for each run, in a copy of the world.
    ///
    /// # Errors
    /// If the world has no such event, or the handle does not show it.
    fn runs_with_event(&self, world: ReflectRef<'_>, event: &str) -> Result<Vec<u64>, TimelineError>;

    /// Repeats all runs: [`History::verify`].
    ///
    /// # Errors
    /// The first run that has another result each time.
    fn verify(&self, world: ReflectRef<'_>) -> Result<Vec<u64>, TimelineError>;
}

impl<W: SnapshotWorld> Clone for TimeMachine<W> {
    fn clone(&self) -> Self {
        Self { shared: self.shared.clone(), busy: self.busy.clone() }
    }
}

impl<W: SnapshotWorld + Send> TimeMachine<W> {
    /// A history without runs.
    pub fn new(limit: Limit) -> Self {
        let shared = Shared { history: History::new(limit), inside: None, failed: BTreeSet::new() };
        Self { shared: Arc::new(Mutex::new(shared)), busy: Arc::default() }
    }

    /// [`History::run`]. If the world is inside of a run, that run begins again.
    ///
    /// # Panics
    /// If a system of a run calls it.
    pub fn run<R>(&self, game: &mut W, step: impl Fn(&mut W) -> R + Send + Sync + 'static) -> R {
        self.in_run(game, |history, game| history.run(game, step))
    }

    /// [`History::run_schedule`], in the same way.
    ///
    /// # Errors
    /// The error of the schedule.
    ///
    /// # Panics
    /// As [`run`](Self::run).
    pub fn run_schedule(&self, game: &mut W, schedule: &mut Schedule<W>) -> Result<(), SystemError> {
        self.in_run(game, |history, game| history.run_schedule(game, schedule))
    }

    /// Calls a function with the history: to look at it, to drop branches or switch to one, to thin
    /// it out.
    ///
    /// # Panics
    /// As [`run`](Self::run).
    pub fn with<R>(&self, call: impl FnOnce(&mut History<W>) -> R) -> R {
        let Shared { history, inside, .. } = &mut *self.work();
        let before = history.position();
        let result = call(history);
        // a function that goes to another run leaves the one that the world was inside of
        inside.take_if(|_| history.position() != before || before == history.runs().end);
        result
    }

    /// Makes a run.
    fn in_run<R>(&self, game: &mut W, run: impl FnOnce(&mut History<W>, &mut W) -> R) -> R {
        /// Notes the run if it panics.
        struct Running<'m, W: SnapshotWorld>(Work<'m, W>, u64);
        impl<W: SnapshotWorld> Drop for Running<'_, W> {
            fn drop(&mut self) {
                if thread::panicking() {
                    self.0.failed.insert(self.1);
                }
            }
        }
        let mut shared = self.work();
        shared.leave(game);
        let number = shared.history.position();
        shared.failed.retain(|&failed| failed < number);
        run(&mut Running(shared, number).0.history, game)
    }

    /// The history, for code that makes or repeats runs.
    fn try_work(&self) -> Result<Work<'_, W>, TimelineError> {
        if self.busy.load(Ordering::Acquire) {
            return Err(TimelineError::Busy);
        }
        let shared = lock(&self.shared);
        self.busy.store(true, Ordering::Release);
        Ok(Work { shared, busy: &self.busy })
    }

    fn work(&self) -> Work<'_, W> {
        self.try_work().unwrap_or_else(|error| panic!("{error}"))
    }
}

/// The history, while nobody else can use it.
struct Work<'m, W: SnapshotWorld> {
    shared: MutexGuard<'m, Shared<W>>,
    busy: &'m AtomicBool,
}

impl<W: SnapshotWorld> Deref for Work<'_, W> {
    type Target = Shared<W>;

    fn deref(&self) -> &Shared<W> {
        &self.shared
    }
}

impl<W: SnapshotWorld> DerefMut for Work<'_, W> {
    fn deref_mut(&mut self) -> &mut Shared<W> {
        &mut self.shared
    }
}

impl<W: SnapshotWorld> Drop for Work<'_, W> {
    fn drop(&mut self) {
        self.busy.store(false, Ordering::Release);
    }
}

impl<W: SnapshotWorld + Send> Shared<W> {
    /// Brings the world out of a run: to before it.
    fn leave(&mut self, game: &mut W) {
        if let Some(inside) = self.inside.take() {
            game.restore(inside.before());
        }
    }

    /// The place of the world.
    fn place(&self) -> Place {
        Place { run: self.history.position(), step: self.inside.as_ref().map_or(0, Inside::position) }
    }

    /// The number of steps of a run.
    fn steps(&self, game: &W, run: u64) -> Result<usize, NoSuchRun> {
        match &self.inside {
            Some(inside) if self.history.position() == run => Ok(inside.steps().len()),
            _ => Ok(self.history.inside(game, run)?.steps().len()),
        }
    }

    fn go_to(&mut self, game: &mut W, place: Place) -> Result<(), TimelineError> {
        // whether there is such a place, before anything is changed
        let is_here = self.history.position() == place.run;
        let mut inside = match place.step {
            0 => None,
            _ if is_here && self.inside.is_some() => self.inside.take(),
            _ => Some(self.history.inside(game, place.run)?),
        };
        if !is_here {
            self.history.go_to(game, place.run)?;
            self.inside = None;
        } else if inside.is_none() {
            self.leave(game);
        }
        if let Some(inside) = &mut inside {
            inside.go_to(place.step);
            game.clone_from(inside.world());
        }
        self.inside = inside.filter(|inside| inside.position() > 0);
        Ok(())
    }
}

/// The world of a handle that may change it.
fn of_handle<'w, W: SnapshotWorld>(world: &'w mut ReflectMut<'_>) -> Result<&'w mut W, TimelineError> {
    let error = if world.is_read_only() { TimelineError::ReadOnly } else { TimelineError::OtherWorld };
    world.downcast_mut().ok_or(error)
}

impl<W: SnapshotWorld + Saved + ReflectWorld + Send + Sync> Timeline for TimeMachine<W> {
    fn state(&self) -> Result<TimelineState, TimelineError> {
        let shared = self.try_work()?;
        let history = &shared.history;
        let runs = history.runs();
        let inside = shared.inside.as_ref();
        Ok(TimelineState {
            place: shared.place(),
            steps: inside.map_or_else(Vec::new, |inside| inside.steps().to_vec()),
            failed: shared.failed.range(runs.clone()).copied().collect(),
            branches: history.branches().iter().map(crate::Branch::runs).collect(),
            bytes: history.bytes(),
            runs,
        })
    }

    fn go_to(&self, world: &mut ReflectMut<'_>, place: Place) -> Result<(), TimelineError> {
        self.try_work()?.go_to(of_handle(world)?, place)
    }

    fn step(&self, world: &mut ReflectMut<'_>, forward: bool) -> Result<bool, TimelineError> {
        let game = of_handle::<W>(world)?;
        let shared = &mut *self.try_work()?;
        let Place { run, step } = shared.place();
        let runs = shared.history.runs();
        let place = match (forward, step) {
            (true, _) if run == runs.end => return Ok(false),
            (true, step) if step < shared.steps(game, run)? => Place { run, step: step + 1 },
            (true, _) => Place { run: run + 1, step: 0 },
            (false, 0) if run == runs.start => return Ok(false),
            (false, 0) => Place { run: run - 1, step: shared.steps(game, run - 1)? },
            (false, step) => Place { run, step: step - 1 },
        };
        shared.go_to(game, place)?;
        Ok(true)
    }

    fn run_to(&self, world: &mut ReflectMut<'_>, name: &str) -> Result<bool, TimelineError> {
        let game = of_handle::<W>(world)?;
        let shared = &mut *self.try_work()?;
        let Place { run, step } = shared.place();
        for later in run..shared.history.runs().end {
            let inside = shared.history.inside(game, later)?;
            let from = if later == run { step + 1 } else { 0 };
            let mut rest = inside.steps().iter().enumerate().skip(from);
            if let Some((step, _)) = rest.find(|(_, step)| step.to_string() == name) {
                shared.go_to(game, Place { run: later, step })?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn changes(
        &self,
        world: ReflectRef<'_>,
        entity: Option<Entity>,
        path: &str,
        most: usize,
    ) -> Result<Vec<Change<Option<DynamicValue>>>, TimelineError> {
        let game = world.downcast_ref::<W>().ok_or(TimelineError::OtherWorld)?;
        // what the handle does not show has no changes
        let name = path.split(['.', '[']).next().unwrap_or_default();
        match entity {
            Some(_) => drop(world.component(name)?),
            None => drop(world.read_resource(name)?),
        }
        let read = {
            let path = path.to_owned();
            move |game: &W| {
                let world = game.reflect();
                entity.map_or_else(|| world.read_resource(&path), |entity| world.read(entity, &path)).ok()
            }
        };
        Ok(self.try_work()?.history.latest_changes(game, read, most))
    }

    fn differences(
        &self,
        world: ReflectRef<'_>,
        first: u64,
        second: u64,
    ) -> Result<Vec<Difference>, TimelineError> {
        let game = world.downcast_ref::<W>().ok_or(TimelineError::OtherWorld)?;
        let shared = self.try_work()?;
        let state = |run: u64| {
            let mut state = game.clone();
            if let Some(before) = shared.history.state(run)? {
                state.restore(before);
            }
            Ok::<W, TimelineError>(state)
        };
        let mut found = save::diff(&state(first)?, &state(second)?);
        // what the handle does not show does not differ
        let is_shown = |kind: Option<&str>, name: &str| match kind {
            None => world.component(name).is_ok(),
            Some("resource") => world.read_resource(name).is_ok(),
            Some("event") => world.events().iter().any(|event| event.name == name),
            Some(_) => true,
        };
        found.retain(|difference| {
            let (kind, path) = match difference.path.split_once(' ') {
                Some((kind, path)) if difference.entity.is_none() => (Some(kind), path),
                _ => (None, &*difference.path),
            };
            let name = path.split(['.', '[']).next().unwrap_or_default();
            difference.path.is_empty() || is_shown(kind, name)
        });
        Ok(found)
    }

    fn runs_with_event(&self, world: ReflectRef<'_>, event: &str) -> Result<Vec<u64>, TimelineError> {
        let game = world.downcast_ref::<W>().ok_or(TimelineError::OtherWorld)?;
        if !world.events().iter().any(|info| info.name == event) {
            world.schema(NameKind::Events, event)?; // the error for a name that is not shown
        }
        let sent = |game: &W| {
            let events = game.stats().events;
            events.iter().find(|stats| stats.event == event).map_or(0, |stats| stats.sent)
        };
        let shared = self.try_work()?;
        let (mut state, mut last, mut runs) = (game.clone(), None, Vec::new());
        for (run, before) in shared.history.states() {
            if let Some(before) = before {
                state.restore(before);
            }
            let now = sent(if before.is_some() { &state } else { game });
            // a state says what the run before it has sent
            if let Some((from, _)) = last.filter(|&(_, count)| count != now) {
                runs.push(from);
            }
            last = Some((run, now));
        }
        Ok(runs)
    }

    fn verify(&self, world: ReflectRef<'_>) -> Result<Vec<u64>, TimelineError> {
        let game = world.downcast_ref::<W>().ok_or(TimelineError::OtherWorld)?;
        Ok(self.try_work()?.history.verify(game, Saved::hash)?)
    }
}

impl<W: SnapshotWorld + Send> fmt::Debug for TimeMachine<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.try_work() {
            Ok(shared) => f.debug_tuple("TimeMachine").field(&shared.history).finish(),
            Err(error) => f.debug_tuple("TimeMachine").field(&error).finish(),
        }
    }
}
