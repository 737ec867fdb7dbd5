//! W39 to W41: the clocks.

use std::time::Duration;

use ecs::prelude::*;
use ecs_mechanics::clocks::{self, Clock, Frame, Game, MAX_STEP, Wall};
use serde::{Deserialize, Serialize};

const MS: Duration = Duration::from_millis(1);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Arena { include clocks::clocks; }
    schedule frame { include clocks::advance }
}

/// Runs a frame after this time. Returns the steps of the three clocks.
fn frame(arena: &mut Arena, passed: Duration) -> [Duration; 3] {
    arena.resource_mut::<Clock<Wall>>().advance(passed);
    arena.frame();
    let (wall, frame) = (arena.resource::<Clock<Wall>>(), arena.resource::<Clock<Frame>>());
    [wall.delta(), frame.delta(), arena.resource::<Clock<Game>>().delta()]
}

#[test]
fn w39_the_wall_clock_has_the_passed_time() {
    let mut arena = Arena::new();
    assert_eq!(frame(&mut arena, 16 * MS), [16 * MS; 3]);
}

#[test]
fn w40_the_frame_clock_cuts_long_steps() {
    let mut arena = Arena::new();
    assert_eq!(frame(&mut arena, 3000 * MS), [3000 * MS, MAX_STEP, MAX_STEP]);
}
