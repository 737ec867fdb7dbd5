//! A flush: the commands of a stage, out of their places, and done in the order of the text.
#![expect(unsafe_code, reason = "the borrow of the world says what may be reached through its cell")]

use alloc::vec::Vec;
use core::cell::Cell;

use super::failed_command::Origin;
use super::queue::CommandQueue;
use crate::world::{World, WorldCell, discard};

/// The queues of a stage.
pub struct Flush<W: World> {
    /// The system that is asked for its commands.
    pub(crate) system: &'static str,
    queues: Vec<(CommandQueue<W>, &'static str)>,
}

impl<W: World> Flush<W> {
    /// Nothing to do.
    pub(crate) const fn new() -> Self {
        Self { system: "", queues: Vec::new() }
    }

    /// Takes the commands of a place.
    pub(super) fn take(&mut self, queue: &mut CommandQueue<W>) {
        if queue.len() > 0 {
            self.queues.push((core::mem::replace(queue, CommandQueue::new()), self.system));
        }
    }

    /// Gives a place a buffer back.
    pub(super) fn give_back(&mut self, queue: &mut CommandQueue<W>) {
        if queue.len() == 0
            && let Some((empty, _)) = self.queues.pop()
        {
            *queue = empty;
        }
    }

    /// Does all commands. A component that they add and take away again leaves no trace in the log of removed values. If one
    /// panics, what those that wait would have spawned will never be; they are dropped with the
    /// flush.
    pub(crate) fn apply(&mut self, world: &mut W, current: &Cell<&'static str>) {
        struct ReleaseReserved<'f, W: World>(&'f mut Flush<W>, &'f mut W);
        impl<W: World> Drop for ReleaseReserved<'_, W> {
            fn drop(&mut self) {
                discard::set_flushing(self.1, false);
                for (queue, _) in &self.0.queues {
                    // SAFETY: the world is borrowed mutably, and the borrow of the entities ends with the statement.
                    queue.give_up(unsafe { WorldCell::new(self.1).entities_mut() });
                }
            }
        }
        if self.queues.is_empty() {
            return;
        }
        discard::set_flushing(world, true);
        let guard = ReleaseReserved(self, world);
        for (queue, system) in &mut guard.0.queues {
            current.set(system);
            queue.apply(guard.1, Origin { system });
        }
    }
}
