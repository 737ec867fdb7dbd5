//! W39 to W41: wall, frame and game time, the longest step, and clocks below clocks.

use std::time::Duration;

use ecs::prelude::*;
use ecs::time::follow;
use ecs_mechanics::clocks::{self, Clock, Frame, Game, MAX_STEP, Wall};

const MS: Duration = Duration::from_millis(1);

/// The time in a place where it runs three times as fast as in the rest of the game.
enum Bubble {}

world! {
    struct Arena {
        include clocks::clocks;
        resources { bubble: Clock<Bubble> = Clock::new().with_scale(3, 1) }
    }
    schedule frame { include clocks::advance; follow::<Game, Bubble> }
}

/// Runs a frame after this time. Returns the steps of the four clocks.
fn frame(arena: &mut Arena, passed: Duration) -> [Duration; 4] {
    arena.resource_mut::<Clock<Wall>>().advance(passed);
    arena.frame();
    let (wall, frame) = (arena.resource::<Clock<Wall>>(), arena.resource::<Clock<Frame>>());
    let (game, bubble) = (arena.resource::<Clock<Game>>(), arena.resource::<Clock<Bubble>>());
    [wall.delta(), frame.delta(), game.delta(), bubble.delta()]
}

#[test]
fn w39_there_are_wall_time_frame_time_and_game_time() {
    let mut arena = Arena::new();
    arena.resource_mut::<Clock<Game>>().set_scale(1, 2);
    assert_eq!(frame(&mut arena, 16 * MS), [16 * MS, 16 * MS, 8 * MS, 24 * MS]);
    assert_eq!(frame(&mut arena, 4 * MS), [4 * MS, 4 * MS, 2 * MS, 6 * MS]);
    assert_eq!(arena.resource::<Clock<Game>>().elapsed(), 10 * MS);
}

#[test]
fn w40_a_frame_is_cut_to_the_longest_step() {
    let mut arena = Arena::new();
    assert_eq!(frame(&mut arena, 3000 * MS), [3000 * MS, MAX_STEP, MAX_STEP, 3 * MAX_STEP]);
    arena.resource_mut::<Clock<Frame>>().set_max_step(Some(20 * MS));
    assert_eq!(frame(&mut arena, 3000 * MS), [3000 * MS, 20 * MS, 20 * MS, 60 * MS]);
}

#[test]
fn w41_a_clock_follows_its_parent_at_its_own_scale_and_pauses_with_it() {
    let mut arena = Arena::new();
    arena.resource_mut::<Clock<Game>>().set_scale(2, 1);
    assert_eq!(frame(&mut arena, MS), [MS, MS, 2 * MS, 6 * MS], "the scales are multiplied");
    arena.resource_mut::<Clock<Game>>().pause();
    assert_eq!(frame(&mut arena, MS), [MS, MS, Duration::ZERO, Duration::ZERO]);
    arena.resource_mut::<Clock<Game>>().resume();
    arena.resource_mut::<Clock<Bubble>>().pause();
    assert_eq!(frame(&mut arena, MS), [MS, MS, 2 * MS, Duration::ZERO]);
}
