//! [`ResourceTicks`]: the ticks at which the resources of a world last changed.
//!
//! They are a field of the allocator, as the tick of the world is, so that a snapshot or a clone of
//! a world has them, too.

use alloc::boxed::Box;
use core::sync::atomic::{AtomicU64, Ordering};

use super::allocator::Entities;

/// For each resource of a world, by index, the tick of its last change.
#[derive(Default)]
pub(super) struct ResourceTicks(Box<[AtomicU64]>);

impl Clone for ResourceTicks {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|tick| AtomicU64::new(tick.load(Ordering::Relaxed))).collect())
    }
}

impl Entities {
    /// Begins to record the changes of this number of resources, which count as changed now.
    pub(crate) fn start_resource_ticks(&mut self, resources: usize) {
        let tick = self.tick();
        self.resource_ticks = ResourceTicks((0..resources).map(|_| AtomicU64::new(tick)).collect());
    }

    /// Makes all resources count as changed now, since they come from a file.
    pub(super) fn restart_resource_ticks(&mut self) {
        self.start_resource_ticks(self.resource_ticks.0.len());
    }

    /// The tick of the last change of a resource. The borrow of the resource orders the accesses to
    /// it.
    #[inline(always)]
    pub(crate) fn resource_tick(&self, index: usize) -> Option<&AtomicU64> {
        self.resource_ticks.0.get(index)
    }
}
