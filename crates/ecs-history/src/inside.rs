//! [`Inside`]: a run, step by step, in both directions.

use ecs::schedule::SystemStep;
use ecs::world::SnapshotWorld;
use ecs::{Snapshot, World};

use crate::error::NoSuchRun;
use crate::history::{History, Repeat};
use crate::repeat::repeat;

/// A run, to look at after each of its steps. It has a copy of the world, so that the world of the
/// program stays as it is.
///
/// The position is the number of steps that were made: at 0 the world is as before the run.
///
/// Cost of each move: a repetition of the run, and a copy of the world.
pub struct Inside<W: SnapshotWorld> {
    before: Snapshot<W>,
    run: Repeat<W>,
    /// The world in which the run is repeated.
    scratch: W,
    steps: Vec<SystemStep>,
    position: usize,
    /// The world at the position.
    world: W,
}

impl<W: SnapshotWorld + Send> History<W> {
    /// A run, to look at after each of its steps.
    ///
    /// # Errors
    /// If the history does not have the run, or its state was [thinned out](Self::thin).
    pub fn inside(&self, game: &W, run: u64) -> Result<Inside<W>, NoSuchRun> {
        let (before, run) = (self.at(run)?.clone(), self.find(run)?.repeat.clone());
        let mut world = game.clone();
        world.restore(&before);
        Ok(Inside::new(world, before, run))
    }
}

impl<W: SnapshotWorld + Send> Inside<W> {
    /// A run of a world that is in the state before it.
    pub(crate) fn new(world: W, before: Snapshot<W>, run: Repeat<W>) -> Self {
        let mut inside = Self { before, run, scratch: world.clone(), steps: Vec::new(), position: 0, world };
        // the first repetition finds the steps
        let look = |steps: &mut Vec<_>, _: &W, step: Option<&SystemStep>| steps.extend(step.copied());
        inside.steps = repeat(&mut inside.scratch, &inside.run, look);
        inside
    }

    /// The steps of the run: systems, and the commands of systems, as they took place. Those after a
    /// panic are missing.
    pub fn steps(&self) -> &[SystemStep] {
        &self.steps
    }

    /// The number of steps that were made.
    pub fn position(&self) -> usize {
        self.position
    }

    /// The last step that was made.
    pub fn last(&self) -> Option<&SystemStep> {
        self.steps.get(self.position.checked_sub(1)?)
    }

    /// The world before the run.
    #[cfg(feature = "reflect")]
    pub(crate) fn before(&self) -> &Snapshot<W> {
        &self.before
    }

    /// The world at the position.
    pub fn world(&self) -> &W {
        &self.world
    }

    /// Goes to after a number of steps, at most all of them. Returns the new position: the old one
    /// if the run has fewer steps this time, since it [cannot be repeated](History::verify).
    pub fn go_to(&mut self, steps: usize) -> usize {
        let steps = steps.min(self.steps.len());
        if steps == self.position {
            return steps;
        }
        if steps == 0 {
            self.world.restore(&self.before);
            self.position = 0;
            return 0;
        }
        self.scratch.restore(&self.before);
        let mut made = 0;
        let found = repeat(&mut self.scratch, &self.run, move |found: &mut Option<W>, world, step| {
            made += usize::from(step.is_some());
            if made == steps && found.is_none() {
                *found = Some(world.clone());
            }
        });
        if let Some(world) = found {
            (self.world, self.position) = (world, steps);
        }
        self.position
    }

    /// Makes one step. Returns it; `None` at the end.
    pub fn step(&mut self) -> Option<&SystemStep> {
        let before = self.position;
        (self.go_to(before + 1) > before).then(|| &self.steps[before])
    }

    /// Takes one step back. Returns the step that was undone; `None` at the begin.
    pub fn back(&mut self) -> Option<&SystemStep> {
        let to = self.position.checked_sub(1)?;
        self.go_to(to);
        self.steps.get(to)
    }

    /// Makes all steps of the stage that comes next, with its commands. Returns the position.
    pub fn stage(&mut self) -> usize {
        let place = |step: &SystemStep| (step.schedule, step.stage);
        let Some(first) = self.steps.get(self.position).map(place) else { return self.position };
        let more = self.steps[self.position..].iter().take_while(|step| place(step) == first).count();
        self.go_to(self.position + more)
    }

    /// Goes to before the next step of this name, as it is displayed: `bury`, or `bury (commands)`.
    /// The step that comes next already is not looked at, so that repeated calls go on. Returns
    /// whether there is one; otherwise, the position stays. A system that panics is no step: the
    /// end is before it.
    pub fn run_to(&mut self, name: &str) -> bool {
        let rest = self.steps.get(self.position + 1..).unwrap_or_default();
        let Some(more) = rest.iter().position(|step| step.to_string() == name) else { return false };
        self.go_to(self.position + 1 + more);
        true
    }
}

impl<W: SnapshotWorld> std::fmt::Debug for Inside<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { steps, position, .. } = self;
        f.debug_struct("Inside").field("steps", steps).field("position", position).finish_non_exhaustive()
    }
}
