//! [`once`]: runs a single system outside of a schedule.

use core::cell::Cell;
use core::marker::PhantomData;

use super::panics;
use crate::command::flush::Flush;
use crate::raw_world::{RawWorld, WorldFields, discard};
use crate::system::{System, SystemPhase, SystemState};

/// Runs a single system once, with a new state, and applies its events and commands.
pub(crate) fn once<W: RawWorld, S: System<W>>(world: &mut W) -> S::Out {
    match panics::catch(|| run_once::<W, S>(world)) {
        Ok(out) => out,
        Err(payload) => panics::report_once_and_resume(W::WORLD_NAME, S::NAME, payload),
    }
}

/// Runs a single system once, without a report of its panic.
fn run_once<W: RawWorld, S: System<W>>(world: &mut W) -> S::Out {
    struct Once<'w, W: RawWorld, S: System<W>> {
        world: &'w mut W,
        state: SystemState,
        /// Whether the commands of the system were collected.
        collected: bool,
        system: PhantomData<fn() -> S>,
    }
    impl<W: RawWorld, S: System<W>> Once<'_, W, S> {
        fn finish(&mut self, mut phase: SystemPhase<'_, W>) {
            if S::FINISHES {
                const { S::RUNNABLE }.finish_alone(self.world, &mut self.state, &mut phase);
            }
        }
    }
    impl<W: RawWorld, S: System<W>> Drop for Once<'_, W, S> {
        fn drop(&mut self) {
            if !self.collected {
                self.finish(SystemPhase::Discard);
            }
            self.finish(SystemPhase::Close);
        }
    }
    discard::reindex_changed(world);
    let state = (S::INIT)(world);
    let mut once = Once::<W, S> { world, state, collected: false, system: PhantomData };
    once.finish(SystemPhase::Open(None));
    let ticks = once.state.begin(once.world.entities_mut().next_ticks(1));
    let out = const { S::RUNNABLE }.run_alone(once.world, &mut once.state, &ticks);
    once.finish(SystemPhase::Done);
    if S::FINISHES {
        let mut flush = Flush::new();
        flush.system = S::NAME;
        once.finish(SystemPhase::Collect(&mut flush));
        once.collected = true;
        flush.apply(once.world, &Cell::new(""));
    }
    once.collected = true;
    out
}
