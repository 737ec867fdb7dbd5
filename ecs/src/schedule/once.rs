//! [`once`]: runs a single system outside of a schedule.

use core::cell::Cell;

use super::panics;
use crate::base::tick::Ticks;
use crate::command::flush::Flush;
use crate::raw_world::{RawWorld, WorldFields, discard};
use crate::system::input;
use crate::system::{Finish, InputSystem, System, SystemPhase, SystemState, finish_alone};

/// Runs a single system once, with a new state, and applies its events and commands.
pub(crate) fn once<W: RawWorld, S: System<W>>(world: &mut W) -> S::Out {
    let run = |world: &mut W, state: &mut SystemState, ticks: &Ticks| {
        const { S::RUNNABLE }.run_alone(world, state, ticks)
    };
    reported(world, S::NAME, |world| run_once(world, S::NAME, S::INIT, S::FINISHES.then_some(S::FINISH), run))
}

/// Runs a single system with an input once, as [`once`] does.
pub(crate) fn once_with<W: RawWorld, S: InputSystem<W>>(world: &mut W, input: S::In) -> S::Out {
    let run = |world: &mut W, state: &mut SystemState, ticks: &Ticks| {
        input::run_alone::<W, S>(world, state, ticks, input)
    };
    reported(world, S::NAME, |world| run_once(world, S::NAME, S::INIT, S::FINISHES.then_some(S::FINISH), run))
}

/// Calls `run`, and names the system if it panics.
fn reported<W: RawWorld, Out>(world: &mut W, name: &'static str, run: impl FnOnce(&mut W) -> Out) -> Out {
    match panics::catch(|| run(world)) {
        Ok(out) => out,
        Err(payload) => panics::report_once_and_resume(W::WORLD_NAME, name, payload),
    }
}

/// Runs a single system once, without a report of its panic. `finish` is its function for phases, if it has work in them.
fn run_once<W: RawWorld, Out>(
    world: &mut W,
    name: &'static str,
    init: fn(&mut W) -> SystemState,
    finish: Option<Finish<W>>,
    run: impl FnOnce(&mut W, &mut SystemState, &Ticks) -> Out,
) -> Out {
    struct Once<'w, W: RawWorld> {
        world: &'w mut W,
        state: SystemState,
        /// Whether the commands of the system were collected.
        collected: bool,
        finish: Option<Finish<W>>,
    }
    impl<W: RawWorld> Once<'_, W> {
        fn finish(&mut self, mut phase: SystemPhase<'_, W>) {
            if let Some(finish) = self.finish {
                finish_alone(finish, self.world, &mut self.state, &mut phase);
            }
        }
    }
    impl<W: RawWorld> Drop for Once<'_, W> {
        fn drop(&mut self) {
            if !self.collected {
                self.finish(SystemPhase::Discard);
            }
            self.finish(SystemPhase::Close);
        }
    }
    discard::reindex_changed(world);
    let state = init(world);
    let mut once = Once { world, state, collected: false, finish };
    once.finish(SystemPhase::Open(None));
    let ticks = once.state.begin(once.world.entities_mut().next_ticks(1));
    let out = run(once.world, &mut once.state, &ticks);
    once.finish(SystemPhase::Done);
    if finish.is_some() {
        let mut flush = Flush::new();
        flush.system = name;
        once.finish(SystemPhase::Collect(&mut flush));
        once.collected = true;
        flush.apply(once.world, &Cell::new(""));
    }
    once.collected = true;
    out
}
