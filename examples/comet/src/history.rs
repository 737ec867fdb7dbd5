//! The last ten seconds, as snapshots.

use std::collections::VecDeque;

use ecs::Snapshot;
use ecs::prelude::*;

use crate::game::Sky;

/// The frames between two snapshots, and the number of snapshots: ten seconds.
const EVERY: u32 = 6;
const KEPT: usize = 100;

/// Snapshots of a game, which share the pages that did not change between them.
#[derive(Default)]
pub(crate) struct History {
    snapshots: VecDeque<Snapshot<Sky>>,
    frames: u32,
}

impl History {
    /// To be called after each frame.
    pub(crate) fn record(&mut self, sky: &mut Sky) {
        if self.frames.is_multiple_of(EVERY) {
            if self.snapshots.len() == KEPT {
                self.snapshots.pop_front();
            }
            self.snapshots.push_back(sky.snapshot());
        }
        self.frames += 1;
    }

    /// Goes back to the newest snapshot, a tenth of a second before the last one. Stays at the oldest one.
    pub(crate) fn go_back(&mut self, sky: &mut Sky) {
        if let Some(snapshot) = self.snapshots.back() {
            sky.restore(snapshot);
            if self.snapshots.len() > 1 {
                self.snapshots.pop_back();
            }
        }
        self.frames = 1;
    }
}
