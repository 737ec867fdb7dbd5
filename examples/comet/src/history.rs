//! The last ten seconds of a game, as snapshots.

use std::collections::VecDeque;

use ecs::prelude::*;

use crate::game::{Screen, Sky};

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
    /// To be called after each frame. A game begins a new history, so that one goes back to its
    /// start, and not into the menu before it.
    pub(crate) fn record(&mut self, sky: &mut Sky) {
        let screen = sky.resource::<State<Screen>>();
        let (plays, begins) = (screen.is(Screen::Play), screen.entered() == Some(&Screen::Play));
        if begins {
            self.snapshots.clear();
        }
        if plays && (begins || self.frames.is_multiple_of(EVERY)) {
            if self.snapshots.len() == KEPT {
                self.snapshots.pop_front();
            }
            self.snapshots.push_back(sky.snapshot());
        }
        self.frames += 1;
    }

    /// Goes back to the newest snapshot, a tenth of a second before the last one. Stays at the
    /// oldest one.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Grains, Input, Score};

    fn play(sky: &mut Sky, history: &mut History, start: bool) {
        sky.send(Input { start, ..Input::default() });
        sky.frame();
        history.record(sky);
    }

    #[test]
    fn a_game_goes_back_to_its_start_and_not_into_the_menu() {
        let (mut sky, mut history) = (Sky::new(Grains(20)), History::default());
        (0..40).for_each(|_| play(&mut sky, &mut history, false));
        play(&mut sky, &mut history, true);
        let full = sky.resource::<Score>().left;
        (0..300).for_each(|_| play(&mut sky, &mut history, false));
        (0..200).for_each(|_| history.go_back(&mut sky));
        assert!(sky.resource::<State<Screen>>().is(Screen::Play));
        assert_eq!((sky.resource::<Score>().left, sky.query::<&crate::game::Grain>().len()), (full, 20));
        // and goes on
        play(&mut sky, &mut history, false);
        assert!(sky.resource::<Score>().left < full);
    }
}
