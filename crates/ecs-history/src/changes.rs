//! Changes of values, with their causes.

use std::fmt;

use ecs::schedule::SystemStep;
use ecs::world::SnapshotWorld;
use ecs::{Entity, Has, Snapshot, World};

use crate::history::{History, Run};
use crate::repeat::repeat;

/// A change of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Change<V> {
    /// The number of the run.
    pub run: u64,
    /// The number of steps of the run that were made with the change; 0 if it has no step.
    pub step: usize,
    /// The system that has changed the value, if a system has.
    pub cause: Cause,
    /// The value before the change.
    pub before: V,
    /// The value after the change.
    pub after: V,
}

/// The cause of a change.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cause {
    /// A system, or its commands.
    Step(SystemStep),
    /// The program, before or after the schedules that the run has called, or after the run and
    /// before the next one; a system that has panicked; or a run that has another result when it is
    /// repeated.
    Outside,
}

/// Writes the system, or `outside`.
impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Step(step) => step.fmt(f),
            Self::Outside => f.write_str("outside"),
        }
    }
}

/// When a condition holds for the first time: see [`History::first_when`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FirstWhen {
    /// Before the first run of the history.
    Before,
    /// After this run.
    After(u64),
    /// After no run.
    Never,
}

/// Questions to a history. They repeat runs in a copy of the world, so that what a run does outside
/// of the world, such as printing, is done again. `game` is the world of the history.
impl<W: SnapshotWorld> History<W> {
    /// The runs in which the component of an entity has changed, with the system: the oldest change
    /// first. The values before and after a run are compared, so that a value which a run has
    /// changed and changed back is not found. An entity that lacks the component, or is not alive,
    /// has no value. A value that is not equal to itself, such as NaN, changes with each step.
    ///
    /// The component need not be tracked. A change does not say how many commands and events its
    /// system has sent: nothing counts commands, and a count would cost time in each run of a system.
    ///
    /// Cost: two values for each run; for each run in which they differ, a repetition of it.
    ///
    /// # Panics
    /// If the `Clone` or the `PartialEq` of the component panics.
    pub fn changes<T>(&self, game: &W, entity: Entity) -> Vec<Change<Option<T>>>
    where
        W: Has<T>,
        T: Clone + PartialEq + Send + 'static,
    {
        let value = move |game: &W| game.get::<T>(entity).cloned();
        self.differences(game, |_, snapshot| snapshot.get::<T>(entity).cloned(), value, usize::MAX)
    }

    /// The latest of the [`changes`](Self::changes).
    ///
    /// Cost: two values for each run, from the last one back to that of the change, which is
    /// repeated.
    pub fn last_change<T>(&self, game: &W, entity: Entity) -> Option<Change<Option<T>>>
    where
        W: Has<T>,
        T: Clone + PartialEq + Send + 'static,
    {
        let value = move |game: &W| game.get::<T>(entity).cloned();
        self.differences(game, |_, snapshot| snapshot.get::<T>(entity).cloned(), value, 1).pop()
    }

    /// [`changes`](Self::changes) of anything that can be read from the world: a resource, a sum,
    /// or a value by name, such as `|game| game.reflect().read(hero, "Health.now").ok()`.
    ///
    /// Cost: a restore for each run, in a copy of the world.
    ///
    /// # Panics
    /// If `value` panics.
    pub fn changes_of<V>(&self, game: &W, value: impl Fn(&W) -> V + Clone + Send + 'static) -> Vec<Change<V>>
    where
        V: Clone + PartialEq + Send + 'static,
    {
        self.latest_changes(game, value, usize::MAX)
    }

    /// The latest of the [`changes_of`](Self::changes_of): at least `most` of them if there are as
    /// many.
    pub(crate) fn latest_changes<V>(
        &self,
        game: &W,
        value: impl Fn(&W) -> V + Clone + Send + 'static,
        most: usize,
    ) -> Vec<Change<V>>
    where
        V: Clone + PartialEq + Send + 'static,
    {
        let read = value.clone();
        let of_snapshot = move |scratch: &mut W, snapshot: &Snapshot<W>| {
            scratch.restore(snapshot);
            read(scratch)
        };
        self.differences(game, of_snapshot, value, most)
    }

    /// The run and the system that have spawned an entity; `None` if it was there before the first
    /// run, or was alive between no two runs.
    pub fn when_spawned(&self, game: &W, entity: Entity) -> Option<(u64, Cause)> {
        let first = self.lives(game, entity, usize::MAX).into_iter().next();
        first.filter(|change| change.after).map(|change| (change.run, change.cause))
    }

    /// The run and the system that have despawned an entity; `None` if it is alive, or was alive
    /// between no two runs.
    pub fn when_despawned(&self, game: &W, entity: Entity) -> Option<(u64, Cause)> {
        let last = self.lives(game, entity, 1).pop();
        last.filter(|change| !change.after).map(|change| (change.run, change.cause))
    }

    /// The earliest run after which a condition holds.
    ///
    /// Cost: a restore for each run, in a copy of the world; a repetition where the state was
    /// [thinned out](Self::thin).
    pub fn first_when(&self, game: &W, holds: impl Fn(&W) -> bool) -> FirstWhen {
        let (mut scratch, mut last) = (game.clone(), None::<&Run<W>>);
        let found =
            |last: Option<&Run<W>>| last.map_or(FirstWhen::Before, |run| FirstWhen::After(run.number));
        for run in &self.runs {
            match (&run.before, last) {
                (Some(before), _) => scratch.restore(before),
                (None, Some(last)) => repeat(&mut scratch, &last.repeat, |(): &mut (), _, _| ()),
                (None, None) => {}
            }
            if holds(&scratch) {
                return found(last);
            }
            last = Some(run);
        }
        let holds_now = match &self.end {
            Some(end) => {
                scratch.restore(end);
                holds(&scratch)
            }
            None => holds(game),
        };
        if holds_now { found(last) } else { FirstWhen::Never }
    }

    /// The changes of whether an entity is alive, and at least the latest `most` of them.
    fn lives(&self, game: &W, entity: Entity, most: usize) -> Vec<Change<bool>> {
        let alive = move |game: &W| game.contains(entity);
        self.differences(game, |_, snapshot| snapshot.contains(entity), alive, most)
    }

    /// The states of the history with the numbers of the runs that follow them; `None` is that of
    /// the world itself.
    pub(crate) fn states(&self) -> impl DoubleEndedIterator<Item = (u64, Option<&Snapshot<W>>)> {
        let kept = self.runs.iter().filter_map(|run| Some((run.number, Some(run.before.as_ref()?))));
        kept.chain([(self.runs().end, self.end.as_ref())])
    }

    /// The changes of a value, from the latest ones, and at least `most` of them if there are as
    /// many; the oldest first.
    fn differences<V>(
        &self,
        game: &W,
        of_snapshot: impl Fn(&mut W, &Snapshot<W>) -> V,
        of_world: impl Fn(&W) -> V + Clone + Send + 'static,
        most: usize,
    ) -> Vec<Change<V>>
    where
        V: Clone + PartialEq + Send + 'static,
    {
        let mut scratch = None;
        let mut read = |state: Option<&Snapshot<W>>| match state {
            Some(snapshot) => of_snapshot(scratch.get_or_insert_with(|| game.clone()), snapshot),
            None => of_world(game),
        };
        let mut states = self.states().rev();
        let Some((mut end, state)) = states.next() else { return Vec::new() };
        let (mut after, mut found) = (read(state), Vec::new());
        let mut repeats = None;
        for (start, state) in states {
            let before = read(state);
            if before != after
                && let Some(snapshot) = state
            {
                let scratch = repeats.get_or_insert_with(|| game.clone());
                scratch.restore(snapshot);
                let mut changes = self.repeated(scratch, start..end, before.clone(), &of_world);
                // what the repetition does not bring about was done between the runs
                let reached = changes.last().map_or(&before, |change| &change.after);
                if *reached != after {
                    let (before, after) = (reached.clone(), after.clone());
                    changes.push(Change { run: end - 1, step: 0, cause: Cause::Outside, before, after });
                }
                changes.append(&mut found);
                found = changes;
                if found.len() >= most {
                    break;
                }
            }
            (end, after) = (start, before);
        }
        found
    }

    /// The changes of a value while some runs are repeated in a world that is in the state before
    /// them.
    fn repeated<V: Clone + PartialEq + Send + 'static>(
        &self,
        world: &mut W,
        runs: std::ops::Range<u64>,
        mut last: V,
        value: &(impl Fn(&W) -> V + Clone + Send + 'static),
    ) -> Vec<Change<V>> {
        let mut all = Vec::new();
        for run in self.runs.range(self.index(runs.start)..self.index(runs.end)) {
            let (value, first, number) = (value.clone(), last.clone(), run.number);
            let mut steps = 0;
            all.extend(repeat(world, &run.repeat, move |changes: &mut Vec<Change<V>>, world, step| {
                let (now, last) = (value(world), changes.last().map_or(&first, |change| &change.after));
                steps += usize::from(step.is_some());
                if now != *last {
                    let cause = step.map_or(Cause::Outside, |&step| Cause::Step(step));
                    let step = step.map_or(0, |_| steps);
                    changes.push(Change { run: number, step, cause, before: last.clone(), after: now });
                }
            }));
            last = all.last().map_or(last, |change| change.after.clone());
        }
        all
    }
}
