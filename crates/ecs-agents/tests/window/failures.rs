//! Panics of a model end its run, and not the window.

use std::sync::atomic::{AtomicU32, Ordering};

use ecs::prelude::*;
use ecs_agents::prelude::*;
use serde::{Deserialize, Serialize};

use crate::screen::Screen;

/// The function that panics, and after how many steps.
#[derive(Resource, Serialize, Deserialize)]
struct Trouble {
    at: u64,
    step: u64,
}

world! {
    #[derive(Reflect, Serialize, Deserialize)]
    struct Town { resources { Trouble } }
    schedule step { count; fail }
}

#[system(Town)]
fn count(mut trouble: ResMut<Trouble>) {
    trouble.step += 1;
}

#[system(Town)]
fn fail(trouble: Res<Trouble>) {
    assert!(trouble.step != trouble.at, "the roof falls in");
}

fn town(trial: &Trial) -> Town {
    let at = trial.value("at");
    assert!(at >= 0.0, "a model of the past");
    Town::new(Trouble { at: at as u64, step: 0 })
}

fn window() -> ModelWindow<Town> {
    ModelWindow::new("Town", town, Town::step).parameter("at", 2, -1..=9)
}

#[track_caller]
fn assert_runs_again(screen: &mut Screen<Town>) {
    let window = screen.window();
    assert_eq!((window.failure(), window.steps()), (None, 0));
}

#[test]
fn a_panic_in_a_system_ends_the_run() {
    let mut screen = Screen::new(window().hash(Town::hash));
    screen.click("Play");
    screen.frames(60);
    screen.assert_shows(&["the roof falls in", "step 2"]);
    let failure = screen.window().failure().expect("it has failed").to_owned();
    assert!(failure.contains("fail") && failure.contains("the roof falls in"), "{failure}");
    assert_eq!(screen.world().resource::<Trouble>().step, 2, "the world can be looked at");
    assert!(screen.window().advance(1).is_err());
    screen.click("Step");
    assert_eq!(screen.window().steps(), 2);
    screen.type_into("at", "9");
    screen.click("Reset");
    assert_runs_again(&mut screen);
    assert!(screen.window().advance(8).is_ok());
}

#[test]
fn a_panic_of_the_model_leaves_the_former_world() {
    let mut screen = Screen::new(window());
    screen.click("Step");
    screen.type_into("at", "-1");
    screen.click("Reset");
    screen.assert_shows(&["a model of the past", "step 1"]);
    screen.type_into("at", "5");
    screen.click("Reset");
    assert_runs_again(&mut screen);
    // also in the first run
    let mut screen = Screen::new(window().parameter("at", -1, -1..=9));
    screen.assert_shows(&["a model of the past"]);
    assert!(screen.window().world().is_none());
    screen.click("Reset");
    screen.type_into("at", "5");
    screen.click("Reset");
    assert_eq!(screen.world().resource::<Trouble>().at, 5);
}

#[test]
fn panics_of_other_functions_end_the_run() {
    let recorder = || {
        Recorder::new().column("a", |town: &Town| {
            assert!(town.resource::<Trouble>().step < 1, "no number");
            0.0
        })
    };
    let failing = |world: &Town| -> Picture {
        assert!(world.resource::<Trouble>().step < 1, "no colour");
        Picture::of(&Grid::torus(5, 5), 4)
    };
    let windows = [
        (window().recorder(recorder()), "no number"),
        (window().picture("town", failing), "no colour"),
        (window().hash(|_| panic!("no hash")), "no hash"),
    ];
    for (window, text) in windows {
        let mut screen = Screen::new(window);
        screen.click("Step");
        screen.assert_shows(&[text]);
        screen.click("Step");
        assert!(screen.window().steps() <= 1);
        screen.click("Reset");
        assert_eq!(screen.window().steps(), 0);
    }
    let find = |_: &Town, _| -> Vec<Entity> { panic!("nobody") };
    let picture = |_: &Town| Picture::of(&Grid::torus(5, 5), 4);
    let mut screen = Screen::new(window().picture("town", picture).agents(find, |_, _| None));
    screen.click_at(screen.rect("picture").center());
    screen.assert_shows(&["nobody"]);
}

#[test]
fn what_has_panicked_is_not_called_again() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    fn fails<T>() -> T {
        CALLS.fetch_add(1, Ordering::Relaxed);
        panic!("never")
    }
    let picture = |_: &Town| Picture::of(&Grid::torus(5, 5), 4);
    let windows = [
        window().picture("town", |_| fails()),
        window().recorder(Recorder::new().column("a", |_| fails())),
        window().hash(|_| fails()),
        window().picture("town", picture).agents(|_, _| Vec::new(), |_, _| fails()),
    ];
    for (mut window, calls) in windows.into_iter().zip(1..) {
        window.choose(Town::new(Trouble { at: 1, step: 0 }).spawn(()));
        let mut screen = Screen::new(window);
        screen.frames(20);
        screen.assert_shows(&["never"]);
        assert_eq!(CALLS.load(Ordering::Relaxed), calls);
    }
}

#[test]
fn a_panic_in_the_whole_inspector_ends_the_run() {
    let mut screen = Screen::new(window().parameter("at", 1, -1..=9));
    screen.click("Inspector");
    screen.click("Systems");
    screen.click("run");
    screen.assert_shows(&["the roof falls in"]);
    screen.click("Reset");
    assert_eq!(screen.window().failure(), None);
}

#[test]
#[should_panic(expected = "the range of `Needs` is 3..=1")]
fn an_empty_range_is_refused() {
    let end = 1;
    let _ = window().slider("Needs", 3..=end);
}

#[test]
#[should_panic(expected = "the range of `Needs` is NaN..=1")]
fn a_range_that_is_not_finite_is_refused() {
    let _ = window().slider("Needs", f64::NAN..=1.0);
}
