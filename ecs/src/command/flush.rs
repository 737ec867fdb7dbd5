//! [`Flush`]: applies the commands of a stage, in the order in which its systems are written.

use alloc::vec::Vec;
use core::cell::Cell;

use super::failed_command::Origin;
use super::queue::CommandQueue;
use crate::raw_world::{RawWorld, WorldFields, discard};

/// The command queues of a stage, moved out of the states of its systems.
pub struct Flush<W: RawWorld> {
    /// The name of the system whose queue is taken next.
    pub(crate) system: &'static str,
    queues: Vec<(CommandQueue<W>, &'static str)>,
}

impl<W: RawWorld> Flush<W> {
    /// A flush without commands.
    pub(crate) const fn new() -> Self {
        Self { system: "", queues: Vec::new() }
    }

    /// Moves the commands of a system into the flush, unless there are none.
    pub(super) fn take(&mut self, queue: &mut CommandQueue<W>) {
        if queue.len() > 0 {
            self.queues.push((core::mem::replace(queue, CommandQueue::new()), self.system));
        }
    }

    /// Returns an emptied queue to a system, so that its buffer is reused.
    pub(super) fn give_back(&mut self, queue: &mut CommandQueue<W>) {
        if queue.len() == 0
            && let Some((empty, _)) = self.queues.pop()
        {
            *queue = empty;
        }
    }

    /// Applies all commands. A component that the commands add and remove again is not recorded in the log of removed values.
    ///
    /// If a command panics, the ids that the remaining commands have reserved are released, and the remaining commands are dropped
    /// with the flush.
    pub(crate) fn apply(&mut self, world: &mut W, current: &Cell<&'static str>) {
        struct ReleaseReserved<'f, W: RawWorld>(&'f mut Flush<W>, &'f mut W);
        impl<W: RawWorld> Drop for ReleaseReserved<'_, W> {
            fn drop(&mut self) {
                discard::set_flushing(self.1, false);
                for (queue, _) in &self.0.queues {
                    queue.give_up(self.1.entities_mut());
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
