//! Runs single systems outside of a schedule: [`once`] and [`once_with`] a system whose type is
//! known, [`alone`] one that is chosen at run time, too.

use core::cell::Cell;

use super::panics::{self, Payload};
use crate::command::flush::Flush;
use crate::raw_world::{RawWorld, WorldFields, discard};
use crate::system::input;
use crate::system::{InputSystem, System, SystemDesc, SystemPhase, SystemState};

/// Runs a single system once, with a new state, and applies its events and commands.
pub(crate) fn once<W: RawWorld, S: System<W>>(world: &mut W) -> S::Out {
    let mut output = None;
    reported(world, const { &S::DESC }, &mut |world, state, tick| {
        output = Some(const { S::RUNNABLE }.run_alone(world, state, &state.begin(tick)));
    });
    output.expect(ENDED)
}

/// Runs a single system with an input once, as [`once`] does.
pub(crate) fn once_with<W: RawWorld, S: InputSystem<W>>(world: &mut W, input: S::In) -> S::Out {
    let (mut input, mut output) = (Some(input), None);
    reported(world, const { &S::DESC }, &mut |world, state, tick| {
        let input = input.take().expect(ENDED);
        output = Some(input::run_alone::<W, S>(world, state, &state.begin(tick), input));
    });
    output.expect(ENDED)
}

const ENDED: &str = "a system that does not panic is called once";

/// [`alone`], with a report of a panic.
fn reported<W: RawWorld>(
    world: &mut W,
    system: &SystemDesc<W>,
    run: &mut dyn FnMut(&mut W, &mut SystemState, u64),
) {
    if let Err(payload) = alone(world, system.name, system, run) {
        panics::report_once_and_resume(W::WORLD_NAME, system.name, payload);
    }
}

/// Calls `run` with a new state of a system and a tick, and then applies the events and commands of
/// the system.
///
/// # Errors
/// If the system panics. The panic was not reported.
pub(super) fn alone<W: RawWorld>(
    world: &mut W,
    name: &'static str,
    system: &SystemDesc<W>,
    run: &mut dyn FnMut(&mut W, &mut SystemState, u64),
) -> Result<(), Payload> {
    struct Alone<'w, W: RawWorld> {
        world: &'w mut W,
        system: &'w SystemDesc<W>,
        state: SystemState,
        /// Whether the commands of the system were collected.
        collected: bool,
    }
    impl<W: RawWorld> Alone<'_, W> {
        fn finish(&mut self, mut phase: SystemPhase<'_, W>) {
            if self.system.finishes {
                self.system.finish_alone(self.world, &mut self.state, &mut phase);
            }
        }
    }
    impl<W: RawWorld> Drop for Alone<'_, W> {
        fn drop(&mut self) {
            if !self.collected {
                self.finish(SystemPhase::Discard);
            }
            self.finish(SystemPhase::Close);
        }
    }
    panics::catch(|| {
        discard::reindex_changed(world);
        let state = system.new_state(world);
        let mut alone = Alone { world, system, state, collected: false };
        alone.finish(SystemPhase::Open(None));
        let tick = alone.world.entities_mut().next_ticks(1);
        run(alone.world, &mut alone.state, tick);
        alone.finish(SystemPhase::Done);
        if system.finishes {
            let mut flush = Flush::new(("", 0));
            flush.system = name;
            alone.finish(SystemPhase::Collect(&mut flush));
            alone.collected = true;
            flush.apply(alone.world, &Cell::new(""));
        }
        alone.collected = true;
    })
}
