//! [`Flush`]: applies the commands of a stage, in the order in which its systems are written.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::cell::Cell;

use super::failed_command::Origin;
use super::queue::CommandQueue;
use crate::entity::reserved_slots::Reservation;
use crate::raw_world::{RawWorld, WorldFields, discard};
use crate::schedule::watch::{self, StepPart, SystemStep};

/// The command queues of a stage, moved out of the states of its systems.
pub struct Flush<W: 'static> {
    /// The schedule, by name, and the number of the stage; empty and zero outside of schedules.
    place: (&'static str, usize),
    /// The name of the system whose queue is taken next.
    pub(crate) system: &'static str,
    queues: Vec<PendingCommands<W>>,
}

/// The commands of one system, and the reservation of the ids that they spawn.
struct PendingCommands<W: 'static> {
    queue: CommandQueue<W>,
    reservation: Reservation,
    system: &'static str,
}

impl<W: RawWorld> Flush<W> {
    /// A flush without commands.
    pub(crate) const fn new(place: (&'static str, usize)) -> Self {
        Self { place, system: "", queues: Vec::new() }
    }

    /// Moves the commands of a system into the flush, unless there are none.
    pub(super) fn take(&mut self, queue: &mut CommandQueue<W>, reservation: Reservation) {
        if queue.len() > 0 {
            let queue = core::mem::replace(queue, CommandQueue::new());
            self.queues.push(PendingCommands { queue, reservation, system: self.system });
        }
    }

    /// Returns an emptied queue to a system, so that its buffer is reused.
    pub(super) fn give_back(&mut self, queue: &mut CommandQueue<W>) {
        if queue.len() == 0
            && let Some(empty) = self.queues.pop()
        {
            *queue = empty.queue;
        }
    }

    /// Applies all commands. After a command that replaces the world, the commands that are left
    /// apply to the new one, except those for entities whose ids were reserved in the former world:
    /// they fail.
    ///
    /// A component that the commands add and remove again is not recorded in the log of removed
    /// values.
    ///
    /// If a command panics, the ids that the remaining commands have reserved are released, and the
    /// remaining commands are dropped with the flush.
    pub(crate) fn apply(&mut self, world: &mut W, current: &Cell<&'static str>) {
        struct ReleaseReserved<'f, W: RawWorld>(&'f mut Flush<W>, &'f mut W);
        impl<W: RawWorld> Drop for ReleaseReserved<'_, W> {
            fn drop(&mut self) {
                discard::set_flushing(self.1, false);
                for PendingCommands { queue, reservation, .. } in &self.0.queues {
                    queue.give_up(self.1.entities_mut(), *reservation);
                }
            }
        }
        if self.queues.is_empty() {
            return;
        }
        // from here on, the guard ends the flush even if a command panics
        discard::set_flushing(world, true);
        let guard = ReleaseReserved(self, world);
        let mut lost = BTreeSet::new();
        for at in 0..guard.0.queues.len() {
            let PendingCommands { queue, reservation, system } = &mut guard.0.queues[at];
            // a panic or error names the system whose command is applied
            current.set(system);
            let origin = Origin::new(system, *reservation, guard.1);
            if !origin.is_replaced() {
                queue.apply(guard.1, &origin, &lost);
            }
            // entities that the remaining queues were to spawn in the former world are not in the
            // new one: commands for them fail, also those of other queues
            if origin.is_replaced() {
                for waiting in &guard.0.queues[at..] {
                    if !guard.1.__living().knows(waiting.reservation) {
                        lost.extend(waiting.queue.all_spawned());
                    }
                }
                // the commands behind the one that replaced the world, in the new one
                guard.0.queues[at].queue.apply(guard.1, &origin, &lost);
            }
            let ((schedule, stage), system) = (guard.0.place, origin.system);
            watch::call(guard.1, SystemStep { schedule, stage, system, part: StepPart::Commands });
        }
    }
}
