//! The commands that go back and forward in the history of the program, and their answers.

use ecs::Entity;
use ecs::reflect::{DynamicValue, ReflectError, ReflectMut, ReflectRef};
use ecs_history::{Change, Place, Timeline, TimelineError, TimelineState};

use crate::inspector::{Cursor, Inspector, View};
use crate::value;
use crate::verbs::split_word;

/// The most changes and differences that are listed.
const MOST: usize = 1000;

/// The state of the view of the history.
#[derive(Default, Debug)]
pub(crate) struct Past {
    pub(crate) timeline: Option<Box<dyn Timeline>>,
    /// The cursor in the steps of the run.
    pub(crate) steps: Cursor,
    /// The cursor in the answer.
    pub(crate) lines: Cursor,
    /// Whether the keys move in the answer, and not in the steps.
    pub(crate) in_answer: bool,
    /// The last answer to `who`, `mark`, `diff` or `verify`.
    pub(crate) title: String,
    pub(crate) answer: Vec<AnswerLine>,
}

/// A line of an answer to `who`, `mark`, `diff` or `verify`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct AnswerLine {
    /// The text.
    pub text: String,
    /// The place that it is about: `rewind` goes there.
    pub place: Option<Place>,
}

impl Inspector {
    /// Lets the user go back and forward in the runs of the program, and ask who has changed a
    /// value: the keys `[ ] { }` and the view `7`. The program runs its schedule by the same
    /// [`TimeMachine`](ecs_history::TimeMachine).
    ///
    /// ```
    /// use ecs::prelude::*;
    /// use ecs_history::{Limit, TimeMachine};
    /// use ecs_inspect::Inspector;
    /// # use serde::{Deserialize, Serialize};
    /// # #[derive(Component, Clone, Serialize, Deserialize)] struct Health(u32);
    /// # world! {
    /// #     #[derive(Clone, Serialize, Deserialize, Reflect)]
    /// #     struct Game { components { Health } }
    /// #     schedule tick { heal }
    /// # }
    /// # #[system(Game)] fn heal(health: &mut Health) { health.0 += 1; }
    /// let mut game = Game::new();
    /// let wolf = game.spawn(Health(3));
    /// let machine = TimeMachine::new(Limit::runs(600));
    /// let mut inspector = Inspector::new().history(machine.clone());
    /// machine.run(&mut game, Game::tick);
    /// machine.run(&mut game, Game::tick);
    /// inspector.run_command("back", &mut game)?;
    /// assert_eq!(game.get::<Health>(wolf).map(|health| health.0), Some(4));
    /// # Ok::<(), String>(())
    /// ```
    #[must_use]
    pub fn history(mut self, timeline: impl Timeline + 'static) -> Self {
        self.past.timeline = Some(Box::new(timeline));
        self
    }

    /// The views that there are.
    #[must_use]
    pub fn views(&self) -> &'static [View] {
        let without = View::ALL.len() - usize::from(self.past.timeline.is_none());
        &View::ALL[..without]
    }

    /// The state of the history, if there is one that is not in use.
    #[must_use]
    pub fn timeline_state(&self) -> Option<TimelineState> {
        self.past.timeline.as_ref()?.state().ok()
    }

    fn timeline(&self) -> Result<&dyn Timeline, String> {
        self.past.timeline.as_deref().ok_or_else(|| "this inspector has no history".to_owned())
    }

    /// The history, for questions. The program waits for the answer, so that a user who cannot change
    /// the world has none.
    fn questions(&self, world: &ReflectRef<'_>) -> Result<&dyn Timeline, String> {
        if world.is_read_only() { Err(ReflectError::ReadOnly.to_string()) } else { self.timeline() }
    }

    /// `back`, `forward`: a number of runs, or one system.
    pub(crate) fn travel(
        &mut self,
        words: &str,
        forward: bool,
        world: &mut ReflectMut<'_>,
    ) -> Result<String, String> {
        let timeline = self.timeline()?;
        if words == "system" {
            let moved = timeline.step(world, forward).map_err(text)?;
            return self.arrive(moved);
        }
        let runs = if words.is_empty() { 1 } else { words.parse::<u64>().map_err(|_| NO_NUMBER)? };
        let TimelineState { place, runs: all, .. } = timeline.state().map_err(text)?;
        // from inside of a run, the first run back is the begin of that one
        let run = match forward {
            true => place.run.saturating_add(runs).min(all.end),
            false => place.run.saturating_sub(runs - u64::from(place.step > 0 && runs > 0)).max(all.start),
        };
        let moved = Place { run, step: 0 } != place;
        timeline.go_to(world, Place { run, step: 0 }).map_err(text)?;
        self.arrive(moved)
    }

    /// `rewind`: to a place such as `12` or `12.3`.
    pub(crate) fn rewind(&mut self, words: &str, world: &mut ReflectMut<'_>) -> Result<String, String> {
        let (run, step) = words.split_once('.').unwrap_or((words, "0"));
        let (Ok(run), Ok(step)) = (run.parse(), step.parse()) else {
            return Err("expected a run, as in `rewind 12`, or a step of one, as in `rewind 12.3`".to_owned());
        };
        self.timeline()?.go_to(world, Place { run, step }).map_err(text)?;
        self.arrive(true)
    }

    /// `until`: to before the next run of a system.
    pub(crate) fn until(&mut self, system: &str, world: &mut ReflectMut<'_>) -> Result<String, String> {
        if !world.systems().iter().any(|info| info.system == system) {
            return Err(format!("world `{}` has no system `{system}`", world.name()));
        }
        if !self.timeline()?.run_to(world, system).map_err(text)? {
            return Err(format!("`{system}` does not run again in the history"));
        }
        self.arrive(true)
    }

    /// The world is in another state: the program waits, and what the user has changed cannot be
    /// taken back.
    fn arrive(&mut self, moved: bool) -> Result<String, String> {
        self.pause(true);
        if !moved {
            return Err("the history ends here".to_owned());
        }
        self.changes.clear();
        self.undone.clear();
        let TimelineState { place, steps, .. } = self.timeline()?.state().map_err(text)?;
        self.past.steps.at = place.step.saturating_sub(1);
        Ok(match place.step.checked_sub(1).and_then(|last| steps.get(last)) {
            Some(step) => format!("run {}, after `{step}`", place.run),
            None => format!("before run {}", place.run),
        })
    }

    /// `who`: the changes of a value.
    pub(crate) fn who(&mut self, words: &str, world: &ReflectRef<'_>) -> Result<String, String> {
        let timeline = self.questions(world)?;
        let (word, rest) = split_word(words);
        let (entity, path): (Option<Entity>, &str) = match value::is_id(word) {
            // an entity that is not alive any more has changed, too
            true => {
                let entity = timeline.entity(world.clone(), word);
                (Some(entity.ok_or_else(|| format!("there is no id `{word}`"))?), rest)
            }
            false if world.read_resource(words.trim()).is_ok() => (None, words.trim()),
            false => (self.chosen, words.trim()),
        };
        let changes = timeline.changes(world.clone(), entity, path, MOST).map_err(text)?;
        let of = entity.map_or_else(String::new, |entity| format!(" of {entity}"));
        let lines: Vec<AnswerLine> = changes.iter().map(line).collect();
        let last = changes.last().map(|change| format!("{} in run {}", change.cause, change.run));
        self.show_answer(format!("changes of {path}{of}"), lines);
        match last {
            Some(last) => Ok(format!("{path} was last changed by {last}")),
            None => Ok(format!("{path} has not changed in these runs")),
        }
    }

    /// `mark`: the runs in which an event was sent. The time line marks the runs of an answer.
    pub(crate) fn mark(&mut self, event: &str, world: &ReflectRef<'_>) -> Result<String, String> {
        let event = event.trim();
        let runs = self.questions(world)?.runs_with_event(world.clone(), event).map_err(text)?;
        let line = |run: &u64| AnswerLine {
            text: format!("run {run:>4}  {event} was sent"),
            place: Some(Place { run: *run, step: 0 }),
        };
        self.show_answer(format!("runs in which {event} was sent"), runs.iter().map(line).collect());
        Ok(format!("{event} was sent in {} run(s)", runs.len()))
    }

    /// `diff`: the differences between two runs.
    pub(crate) fn diff(&mut self, words: &str, world: &ReflectRef<'_>) -> Result<String, String> {
        let timeline = self.questions(world)?;
        let (first, second) = split_word(words);
        let (Ok(first), Ok(second)) = (first.parse(), second.trim().parse()) else {
            return Err("expected two runs, as in `diff 10 12`".to_owned());
        };
        let found = timeline.differences(world.clone(), first, second).map_err(text)?;
        let count = found.len();
        let lines = found.iter().take(MOST).map(|found| AnswerLine { text: found.to_string(), place: None });
        self.show_answer(
            format!("differences between before run {first} and before run {second}"),
            lines.collect(),
        );
        Ok(format!("{count} differences"))
    }

    /// `verify`: whether all runs can be repeated.
    pub(crate) fn verify(&mut self, world: &ReflectRef<'_>) -> Result<String, String> {
        let outside = self.questions(world)?.verify(world.clone()).map_err(text)?;
        let lines = outside.iter().map(|run| AnswerLine {
            text: format!("run {run}: the program has changed the world after it"),
            place: Some(Place { run: run + 1, step: 0 }),
        });
        self.show_answer("runs that something was done after".to_owned(), lines.collect());
        Ok("each run has the same result when it is repeated".to_owned())
    }

    /// The last answer to `who`, `mark`, `diff` or `verify`: its title and its lines.
    #[must_use]
    pub fn answer(&self) -> (&str, &[AnswerLine]) {
        (&self.past.title, &self.past.answer)
    }

    /// Shows an answer, with the cursor at the last line.
    fn show_answer(&mut self, title: String, answer: Vec<AnswerLine>) {
        self.past.lines = Cursor { at: answer.len().saturating_sub(1), top: 0 };
        (self.past.title, self.past.answer, self.past.in_answer) = (title, answer, true);
        self.view = View::History;
    }

    /// The place at the cursor of the view.
    pub(crate) fn place_at_cursor(&self) -> Option<Place> {
        if self.past.in_answer {
            return self.past.answer.get(self.past.lines.at)?.place;
        }
        let state = self.timeline_state()?;
        (self.past.steps.at < state.steps.len())
            .then_some(Place { run: state.place.run, step: self.past.steps.at + 1 })
    }
}

/// The error for a word that is no number of runs.
const NO_NUMBER: &str = "expected a number of runs, or `system`";

fn line(change: &Change<Option<DynamicValue>>) -> AnswerLine {
    let show = |value: &Option<DynamicValue>| match value {
        Some(value) => value::short(value, 40),
        None => "nothing".to_owned(),
    };
    let place = match change.step {
        0 => Place { run: change.run + 1, step: 0 },
        step => Place { run: change.run, step },
    };
    let text = format!(
        "run {:>4}  {}: {} -> {}",
        change.run,
        change.cause,
        show(&change.before),
        show(&change.after)
    );
    AnswerLine { text, place: Some(place) }
}

/// The place of the world in a history, and the run that comes after all others: `run 12.3/40`.
#[must_use]
pub fn timeline_place(state: &TimelineState) -> String {
    format!("run {}/{}", state.place, state.runs.end)
}

/// The place of the world in a history, its runs and its memory.
#[must_use]
pub fn timeline_title(state: &TimelineState) -> String {
    let TimelineState { place, runs, branches, bytes, .. } = state;
    let branches = match branches.len() {
        0 => String::new(),
        1 => ", 1 other future".to_owned(),
        count => format!(", {count} other futures"),
    };
    let megabytes = bytes.div_ceil(1_000_000);
    format!("run {place} of the runs {} to {}{branches}, {megabytes} MB", runs.start, runs.end)
}

fn text(error: TimelineError) -> String {
    error.to_string()
}
