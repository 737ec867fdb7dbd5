//! Play, pause, steps, resets: the run in the window is that of a program without one.

use ecs::prelude::*;
use ecs::reflect::AllowList;
use ecs_agents::prelude::*;
use ecs_agents::window::ecs_inspect::Inspector;

use crate::models::schelling::{Needs, Town};
use crate::screen::{Screen, headless, schelling};

/// Asserts that the world is that of a run without a window after the same number of steps, and
/// returns that number.
#[track_caller]
fn assert_headless(screen: &mut Screen<Town>, seed: u64, agents: usize, needs: usize) -> u64 {
    let steps = screen.window().steps();
    assert_eq!(screen.world().hash(), headless(seed, agents, needs, steps), "after {steps} steps");
    steps
}

#[test]
fn a_run_in_the_window_has_the_hash_of_one_without() {
    let mut screen = Screen::new(schelling());
    assert_eq!(assert_headless(&mut screen, 1, 320, 3), 0, "it is paused at first");
    for steps in 1..=3 {
        screen.click("Step");
        assert_eq!(assert_headless(&mut screen, 1, 320, 3), steps);
    }
    let hash = format!("{:016x}", headless(1, 320, 3, 3));
    screen.assert_shows(&["step 3", &hash, "segregation"]);
    screen.click("Play");
    screen.frames(60);
    screen.click("Pause");
    let steps = assert_headless(&mut screen, 1, 320, 3);
    assert!(steps > 5);
    screen.frames(4);
    assert_eq!(screen.window().steps(), steps, "it is paused");
    assert_eq!(screen.window().table().rows() as u64, steps + 1, "each step is measured once");
}

#[test]
fn a_reset_begins_a_run_with_other_parameters_and_another_seed() {
    let mut screen = Screen::new(schelling().seed(5));
    screen.click("Step");
    assert_headless(&mut screen, 5, 320, 3);
    // a slider of a resource holds at once, and after the reset
    screen.drag("Needs", 500.0);
    assert_eq!(screen.world().resource::<Needs>().0, 8);
    screen.type_into("Needs", "4");
    assert_eq!(screen.world().resource::<Needs>().0, 4);
    // a parameter and the seed hold after it
    screen.drag("agents", -500.0);
    screen.type_into("seed", "18446744073709551557");
    assert_eq!(screen.world().query::<&SingleCell>().len(), 320);
    screen.assert_shows(&["Reset begins a run"]);
    screen.click("Reset");
    assert_eq!(assert_headless(&mut screen, u64::MAX - 58, 10, 4), 0);
    assert_eq!(screen.window().table().rows(), 1);
    screen.click("next");
    screen.click("Reset");
    screen.click("Step");
    assert_eq!(assert_headless(&mut screen, u64::MAX - 57, 10, 4), 1);
    // what is no seed is none
    screen.type_into("seed", "many");
    screen.click("Reset");
    assert_headless(&mut screen, u64::MAX - 57, 10, 4);
}

#[test]
fn values_beyond_a_range_are_not_chosen() {
    let mut screen = Screen::new(schelling());
    screen.type_into("Needs", "900");
    assert_eq!(screen.world().resource::<Needs>().0, 8);
    screen.type_into("Needs", "-3");
    assert_eq!(screen.world().resource::<Needs>().0, 0);
    screen.type_into("agents", "1e300");
    screen.click("Reset");
    assert_eq!(screen.world().query::<&SingleCell>().len(), 400);
    // a value of the world that is beyond the range stays
    let window = schelling().slider("Needs", 5..=8);
    let mut screen = Screen::new(window);
    screen.click("Step");
    assert_headless(&mut screen, 1, 320, 3);
}

#[test]
fn a_row_of_a_sweep_is_looked_at() {
    let sweep = Sweep::new(9).vary("agents", [100.0, 300.0]).replicates(2);
    let trial = &sweep.trials()[3];
    let mut screen = Screen::new(schelling().trial(trial));
    screen.click("Step");
    assert_headless(&mut screen, trial.seed(), 300, 3);
}

#[test]
fn the_speed_is_in_steps_in_a_second() {
    for (speed, most) in [(1.0, 2), (5.0, 10), (0.0, 0)] {
        let mut screen = Screen::new(schelling().speed(speed));
        screen.click("Play");
        // two seconds
        screen.frames(120);
        let steps = screen.window().steps();
        assert!(steps <= most && (steps > 0) == (speed > 0.0), "{steps} steps at {speed}");
    }
    // as many as there are
    let mut screen = Screen::new(schelling().speed(f64::INFINITY));
    screen.click("Play");
    screen.frames(4);
    let steps = assert_headless(&mut screen, 1, 320, 3);
    assert!(steps > 4, "{steps}");
}

#[test]
fn the_whole_inspector_pauses_the_run_and_takes_changes_back() {
    let mut screen = Screen::new(schelling());
    screen.drag("Needs", 500.0);
    screen.click("Inspector");
    screen.click("Undo");
    assert_eq!(screen.world().resource::<Needs>().0, 3);
    screen.click("Run");
    screen.frames(4);
    screen.click("Pause");
    let steps = assert_headless(&mut screen, 1, 320, 3);
    screen.click("Tick");
    assert_eq!(assert_headless(&mut screen, 1, 320, 3), steps + 1);
    // what was taken back is not kept for the next run
    screen.click("Reset");
    assert_headless(&mut screen, 1, 320, 3);
    screen.click("Inspector");
    screen.assert_shows(&["segregation"]);
}

#[test]
fn a_reset_ends_a_tick_that_the_inspector_has_begun() {
    let mut screen = Screen::new(schelling());
    screen.drag("Needs", 500.0);
    screen.click("Inspector");
    screen.click("Systems");
    // the first system of the step, and not the second one
    screen.click("step");
    screen.click("Reset");
    assert_headless(&mut screen, 1, 320, 8);
    screen.click("Run");
    screen.click("Pause");
    assert!(assert_headless(&mut screen, 1, 320, 8) < 5);
    screen.click("Undo");
    assert_headless(&mut screen, 1, 320, 8);
}

#[test]
fn an_inspector_that_may_not_change_anything_watches_a_run() {
    let list = AllowList::new().read_only();
    let mut screen = Screen::new(schelling().inspector(Inspector::new().restrict(list)));
    screen.frames(60);
    screen.click("Pause");
    screen.assert_shows(&["read-only"]);
    screen.drag("Needs", 500.0);
    assert!(assert_headless(&mut screen, 1, 320, 3) > 5);
}
