//! [`History`]: the runs of a program, with the world before each.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use ecs::error::SystemError;
use ecs::world::SnapshotWorld;
use ecs::{Schedule, Snapshot, World};

use crate::error::NoSuchRun;
use crate::limit::{Limit, Pages, Reserve};
use crate::repeat::catch;

/// The function that makes a run again.
pub(crate) type Repeat<W> = Arc<dyn Fn(&mut W) + Send + Sync>;

/// A run of a history.
pub(crate) struct Run<W: World> {
    pub(crate) number: u64,
    /// The world before the run; `None` if it was thinned out.
    pub(crate) before: Option<Snapshot<W>>,
    pub(crate) repeat: Repeat<W>,
    /// The run-time schedule as it was before the run.
    schedule: Option<Schedule<W>>,
}

/// The runs that were given up when the program went back and ran on from there. It keeps their
/// states until it is dropped, by [`History::drop_branch`] or by the [limit](Limit).
pub struct Branch<W: World> {
    /// The function of the run before the first one, which tells that run from others of its
    /// number.
    parent: Option<Repeat<W>>,
    runs: VecDeque<Run<W>>,
    /// The world after the last run.
    end: Snapshot<W>,
}

impl<W: World> Branch<W> {
    /// The numbers of its runs.
    pub fn runs(&self) -> std::ops::Range<u64> {
        let first = self.runs.front().map_or(0, |run| run.number);
        first..self.runs.back().map_or(first, |run| run.number + 1)
    }

    fn snapshots(&self) -> impl Iterator<Item = &Snapshot<W>> {
        self.runs.iter().filter_map(|run| run.before.as_ref()).chain([&self.end])
    }
}

/// The runs of a program, each with the world before it. See [the crate](crate) for examples.
///
/// A run has a number: the first one 0. The *position* is the number of the run that comes next. A
/// history never changes a run: the world is the same, bit for bit, with and without it.
pub struct History<W: World> {
    limit: Limit,
    pub(crate) runs: VecDeque<Run<W>>,
    /// The number of the run that comes next.
    position: u64,
    /// The world after the last run, if the position is an earlier one.
    pub(crate) end: Option<Snapshot<W>>,
    branches: Vec<Branch<W>>,
    pages: Pages,
    reserve: Reserve,
    /// The bytes that the last snapshot has added.
    growth: usize,
}

impl<W: SnapshotWorld> History<W> {
    /// A history without runs.
    pub fn new(limit: Limit) -> Self {
        Self {
            limit,
            runs: VecDeque::new(),
            position: 0,
            end: None,
            branches: Vec::new(),
            pages: Pages::default(),
            reserve: Reserve::default(),
            growth: 0,
        }
    }

    /// Takes memory for the pages of the snapshots to come, and writes to it once: while a program
    /// starts, so that its first runs do not wait for the system to provide memory. Before each run,
    /// as much of it is freed as the last snapshot has taken, for the next one; what is left is freed
    /// when the history forgets its first run. [`bytes`](Self::bytes) does not count it.
    ///
    /// It has an effect with allocators that use freed memory again, as most do.
    ///
    /// ```
    /// # use ecs::prelude::*;
    /// # use ecs_history::{History, Limit};
    /// # world! { #[derive(Clone)] struct Game {} schedule tick {} }
    /// let mut history = History::<Game>::new(Limit::runs(600).and_bytes(100 << 20));
    /// history.reserve(100 << 20);
    /// ```
    pub fn reserve(&mut self, bytes: usize) {
        self.reserve.add(bytes);
    }

    /// Runs the world: takes a snapshot, then calls `step`, and returns its result. The snapshot
    /// also has what the program did to the world since the last run.
    ///
    /// `step` is kept, to make the run again: a schedule, `Game::tick`, or a closure that owns the
    /// input of this run, such as `move |game| { game.send(key); game.tick() }`. If it panics, the
    /// run is in the history: [`back`](Self::back) undoes it, or the program goes on.
    ///
    /// After [`back`](Self::back), the runs that were ahead become a [branch](Self::branches).
    ///
    /// Cost: a [snapshot](ecs::World::snapshot), which copies the pages that were written since the
    /// last one, and a look at the address of each page.
    pub fn run<R>(&mut self, game: &mut W, step: impl Fn(&mut W) -> R + Send + Sync + 'static) -> R {
        let step = Arc::new(step);
        let again = step.clone();
        self.begin(game, None, Arc::new(move |game| drop(again(game))));
        step(game)
    }

    /// [`run`](Self::run) of a schedule that was built at run time. The history keeps a copy of the
    /// schedule as well, since its systems have their states: see
    /// [`schedule`](Self::schedule).
    ///
    /// # Errors
    /// The error of the schedule.
    ///
    /// # Panics
    /// As [`Schedule::run`].
    pub fn run_schedule(&mut self, game: &mut W, schedule: &mut Schedule<W>) -> Result<(), SystemError> {
        let before = schedule.clone();
        let again = schedule.clone();
        self.begin(game, Some(before), Arc::new(move |game| drop(again.clone().run(game))));
        schedule.run(game)
    }

    /// Adds a run that begins now.
    fn begin(&mut self, game: &mut W, schedule: Option<Schedule<W>>, repeat: Repeat<W>) {
        self.reserve.free(self.growth);
        let before = game.snapshot();
        if let Some(end) = self.end.take() {
            self.give_up(self.position, end);
        }
        let bytes = self.pages.bytes;
        self.pages.add(&before);
        // the first snapshot has the whole world: it says nothing about the next ones
        self.growth = if self.runs.is_empty() { 0 } else { self.pages.bytes - bytes };
        self.runs.push_back(Run { number: self.position, before: Some(before), repeat, schedule });
        self.position += 1;
        self.forget();
    }

    /// Makes the runs from a number on a branch, with the world after the last of them.
    fn give_up(&mut self, from: u64, end: Snapshot<W>) {
        let runs = self.runs.split_off(self.index(from));
        let parent = self.runs.back().map(|run| run.repeat.clone());
        self.branches.push(Branch { parent, runs, end });
    }

    /// Forgets the oldest branches beyond the limit.
    fn forget_branches(&mut self) {
        let mut runs: usize = self.branches.iter().map(|branch| branch.runs.len()).sum();
        while let Some(oldest) = self.branches.first()
            && (runs > self.limit.runs || self.pages.bytes > self.limit.bytes)
        {
            runs -= oldest.runs.len();
            self.drop_branch(0);
        }
    }

    /// Forgets the oldest branches, then the oldest runs beyond the limit. A run whose state was
    /// thinned out cannot be reached without those before it.
    fn forget(&mut self) {
        self.forget_branches();
        while let Some(first) = self.runs.front() {
            let over = self.runs.len() > self.limit.runs || self.pages.bytes > self.limit.bytes;
            if let Some(before) = &first.before {
                if !over || self.runs.len() == 1 {
                    return;
                }
                self.pages.remove(before);
            }
            self.runs.pop_front();
            // from now on, memory that is forgotten is used again
            self.reserve.clear();
        }
    }

    /// Drops the states before all runs but the last `newest`, and but those of every `every`th run
    /// and of the first one. [`go_to`](Self::go_to) still reaches the other runs, by repeating those
    /// since the last state that was kept; what the program did to the world between them is lost.
    ///
    /// # Panics
    /// If `every` is zero.
    pub fn thin(&mut self, newest: usize, every: u64) {
        assert!(every > 0, "every zeroth run is none");
        let older = self.runs.len().saturating_sub(newest);
        for run in self.runs.iter_mut().take(older).skip(1) {
            if run.number % every != 0
                && let Some(before) = run.before.take()
            {
                self.pages.remove(&before);
            }
        }
    }

    /// The number of the run that comes next.
    pub fn position(&self) -> u64 {
        self.position
    }

    /// The numbers of the runs that the history has. The position may be any of them, or the number
    /// after the last one.
    pub fn runs(&self) -> std::ops::Range<u64> {
        let first = self.runs.front().map_or(self.position, |run| run.number);
        first..self.runs.back().map_or(first, |run| run.number + 1)
    }

    /// The memory of the pages of values in all snapshots, those of branches too, each page counted
    /// once; see [`Snapshot::for_each_page`].
    pub fn bytes(&self) -> usize {
        self.pages.bytes
    }

    /// Goes back to before the last run: [`go_to`](Self::go_to). Returns the new position; `None`
    /// if the history has no earlier run.
    pub fn back(&mut self, game: &mut W) -> Option<u64> {
        let run = self.position.checked_sub(1)?;
        self.go_to(game, run).ok().map(|()| run)
    }

    /// Goes to after the run that comes next: [`go_to`](Self::go_to). Returns the new position;
    /// `None` at the end.
    pub fn forward(&mut self, game: &mut W) -> Option<u64> {
        self.go_to(game, self.position + 1).ok().map(|()| self.position)
    }

    /// Puts the world into the state before a run, or, with the number after the last run, into the
    /// state after it. Does nothing at that position.
    ///
    /// Changes that the program makes at an earlier position are dropped by the next call, unless
    /// it runs the world before.
    ///
    /// Cost: a [restore](ecs::World::restore), and a snapshot at the end of the history; for a run
    /// that was [thinned out](Self::thin), the repetition of the runs before it. A panic of such a
    /// repetition is caught: the program went on after it, too.
    ///
    /// # Errors
    /// If the history does not have the run; the world stays as it is.
    ///
    /// # Panics
    /// If a `Clone` or a `Drop` of the world panics. The world is as
    /// [`restore`](ecs::World::restore) leaves it; another `go_to` is possible.
    pub fn go_to(&mut self, game: &mut W, run: u64) -> Result<(), NoSuchRun> {
        let runs = self.runs();
        if run < runs.start || run > runs.end {
            return Err(self.no_such(run));
        }
        if run == self.position {
            return Ok(());
        }
        // the end is kept, with what the program did since the last run
        if self.end.is_none() {
            let end = game.snapshot();
            self.pages.add(&end);
            self.end = Some(end);
            self.forget_branches();
        }
        if run == runs.end
            && let Some(end) = &self.end
        {
            game.restore(end);
            self.pages.remove(end);
            (self.end, self.position) = (None, run);
            return Ok(());
        }
        self.position = run;
        let at = self.index(run);
        let kept = (0..=at).rev().find(|&at| self.runs[at].before.is_some()).unwrap_or(0);
        if let Some(before) = &self.runs[kept].before {
            game.restore(before);
        }
        for run in self.runs.range(kept..at) {
            _ = catch(|| (run.repeat)(game));
        }
        Ok(())
    }

    /// The world before a run, to look at.
    ///
    /// # Errors
    /// If the history does not have the run, or its state was [thinned out](Self::thin).
    pub fn at(&self, run: u64) -> Result<&Snapshot<W>, NoSuchRun> {
        let found = self.find(run)?;
        found.before.as_ref().ok_or_else(|| NoSuchRun { thinned: true, ..self.no_such(run) })
    }

    /// The world before a run or, for the number after the last one, at the end; `None` if that is
    /// the world itself.
    #[cfg(feature = "reflect")]
    pub(crate) fn state(&self, run: u64) -> Result<Option<&Snapshot<W>>, NoSuchRun> {
        if run == self.runs().end { Ok(self.end.as_ref()) } else { self.at(run).map(Some) }
    }

    /// The schedule of a [`run_schedule`](Self::run_schedule) as it was before the run; `None` for
    /// other runs. After [`go_to`](Self::go_to) the program goes on with it.
    ///
    /// # Errors
    /// If the history does not have the run.
    pub fn schedule(&self, run: u64) -> Result<Option<Schedule<W>>, NoSuchRun> {
        Ok(self.find(run)?.schedule.clone())
    }

    /// The futures that were given up, the latest one last. Beyond the [limit](Limit), the first ones
    /// are dropped.
    pub fn branches(&self) -> &[Branch<W>] {
        &self.branches
    }

    /// Makes a branch the future, and the runs since it began a branch, and goes to its end.
    ///
    /// # Errors
    /// If the history does not have the run before the branch: it was forgotten, or is in another
    /// branch, which is to be switched to first. The branch is kept.
    ///
    /// # Panics
    /// If there is no branch of this index.
    pub fn switch_to(&mut self, game: &mut W, branch: usize) -> Result<(), NoSuchRun> {
        let Branch { parent, .. } = &self.branches[branch];
        let (from, runs) = (self.branches[branch].runs().start, self.runs());
        let follows = match (self.index(from).checked_sub(1), parent) {
            (Some(last), Some(parent)) => Arc::ptr_eq(&self.runs[last].repeat, parent),
            (last, _) => last.is_none() && from == runs.start,
        };
        if !follows {
            return Err(self.no_such(from.saturating_sub(1)));
        }
        self.go_to(game, runs.end)?;
        let now = game.snapshot();
        game.restore(&self.branches[branch].end);
        let Branch { runs, end, .. } = self.branches.remove(branch);
        self.pages.remove(&end);
        if from < self.position {
            self.pages.add(&now);
            self.give_up(from, now);
        }
        self.position = from + runs.len() as u64;
        self.runs.extend(runs);
        self.forget();
        Ok(())
    }

    /// Drops a branch.
    ///
    /// # Panics
    /// If there is no branch of this index.
    pub fn drop_branch(&mut self, branch: usize) {
        let branch = self.branches.remove(branch);
        branch.snapshots().for_each(|snapshot| self.pages.remove(snapshot));
    }

    /// The index of a run that the history has.
    pub(crate) fn index(&self, run: u64) -> usize {
        self.runs.partition_point(|other| other.number < run)
    }

    /// A run by its number.
    pub(crate) fn find(&self, run: u64) -> Result<&Run<W>, NoSuchRun> {
        let found = self.runs.get(self.index(run)).filter(|found| found.number == run);
        found.ok_or_else(|| self.no_such(run))
    }

    fn no_such(&self, run: u64) -> NoSuchRun {
        let runs = self.runs();
        NoSuchRun { run, first: runs.start, end: runs.end, thinned: false }
    }
}

impl<W: World> fmt::Debug for History<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, runs, position, branches, pages, .. } = self;
        f.debug_struct("History")
            .field("limit", limit)
            .field("runs", &runs.len())
            .field("position", position)
            .field("branches", &branches.len())
            .field("bytes", &pages.bytes)
            .finish_non_exhaustive()
    }
}

impl<W: World> fmt::Debug for Branch<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Branch").field("runs", &self.runs()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use ecs::prelude::*;

    use super::{History, Limit};

    #[derive(Component, Clone)]
    struct Place([u8; 100]);
    ecs::world! {
        #[derive(Clone)]
        struct Game { components { Place } }
        schedule tick { walk }
    }
    #[system(Game)]
    fn walk(place: &mut Place) {
        place.0[0] += 1;
    }

    #[test]
    fn each_run_frees_what_the_last_snapshot_has_taken() {
        let mut game = Game::new();
        game.spawn_batch((0..2000).map(|_| Place([0; 100]))).for_each(drop);
        let mut history = History::new(Limit::runs(4));
        history.reserve(2 << 20);
        let mut left = Vec::new();
        for _ in 0..6 {
            history.run(&mut game, Game::tick);
            left.push(history.reserve.blocks());
        }
        // a snapshot has 200 kB; the first two runs have none before them to go by
        assert_eq!(left, [32, 32, 28, 24, 0, 0]);
    }
}
