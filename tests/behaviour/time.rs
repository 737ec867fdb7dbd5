//! Clocks and timers, as data of a world.

use std::time::Duration;

use ecs::prelude::*;
use ecs::time::{Clock, every_millis, every_runs, follow};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

const MS: Duration = Duration::from_millis(1);

enum Real {}
enum Play {}

#[derive(Resource, Default, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Counts {
    waves: u32,
    cleanings: u32,
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        resources {
            real: Clock<Real> = Clock::new().with_max_step(250 * MS),
            play: Clock<Play> = Clock::new().with_scale(2, 3),
            Counts = Counts::default(),
        }
    }
    schedule frame {
        follow::<Real, Play>;
        spawn_wave if every_millis::<Play, 100>;
        clean_up if every_runs::<3>;
    }
}

#[system(Game)]
fn spawn_wave(mut counts: ResMut<Counts>) {
    counts.waves += 1;
}

#[system(Game)]
fn clean_up(mut counts: ResMut<Counts>) {
    counts.cleanings += 1;
}

fn frame(game: &mut Game, passed: Duration) {
    game.resource_mut::<Clock<Real>>().advance(passed);
    game.frame();
}

#[test]
fn a_child_clock_runs_at_its_own_scale() {
    let mut game = Game::new();
    (0..60).for_each(|_| frame(&mut game, 10 * MS));
    assert_eq!(game.resource::<Clock<Real>>().elapsed(), 600 * MS);
    assert_eq!(game.resource::<Clock<Play>>().elapsed(), 400 * MS);
    assert_eq!(game.resource::<Counts>(), &Counts { waves: 4, cleanings: 20 });
}

#[test]
fn a_pause_stops_a_clock_and_its_children_alone() {
    let mut game = Game::new();
    frame(&mut game, 30 * MS);
    game.resource_mut::<Clock<Play>>().pause();
    frame(&mut game, 30 * MS);
    let (real, play) = (game.resource::<Clock<Real>>(), game.resource::<Clock<Play>>());
    assert_eq!((real.elapsed(), play.elapsed(), play.delta()), (60 * MS, 20 * MS, Duration::ZERO));
    assert!(play.is_paused() && !real.is_paused());

    game.resource_mut::<Clock<Play>>().resume();
    game.resource_mut::<Clock<Real>>().pause();
    frame(&mut game, 30 * MS);
    assert_eq!(game.resource::<Clock<Play>>().elapsed(), 20 * MS);
    game.resource_mut::<Clock<Real>>().resume();
    frame(&mut game, 30 * MS);
    assert_eq!(game.resource::<Clock<Play>>().elapsed(), 40 * MS);
}

#[test]
fn long_steps_are_cut_and_the_loss_is_told() {
    let mut game = Game::new();
    frame(&mut game, 1000 * MS);
    frame(&mut game, 250 * MS);
    frame(&mut game, 251 * MS);
    let real = game.resource::<Clock<Real>>();
    assert_eq!((real.delta(), real.elapsed(), real.dropped()), (250 * MS, 750 * MS, 751 * MS));
    assert_eq!(real.max_step(), Some(250 * MS));
    assert_eq!(game.resource::<Clock<Play>>().elapsed(), 500 * MS);
}

#[test]
fn a_saved_world_goes_on_in_the_middle_of_a_period() {
    let mut game = Game::new();
    (0..7).for_each(|_| frame(&mut game, 7 * MS));
    let mut copies = [
        game.clone(),
        Game::load(&game.to_bytes().unwrap()).unwrap(),
        serde_json::from_str(&serde_json::to_string(&game).unwrap()).unwrap(),
    ];
    (0..50).for_each(|_| frame(&mut game, 11 * MS));
    for copy in &mut copies {
        (0..50).for_each(|_| frame(copy, 11 * MS));
        assert_eq!(copy.resource::<Counts>(), game.resource::<Counts>());
        assert_eq!(copy.resource::<Clock<Real>>(), game.resource::<Clock<Real>>());
        assert_eq!(copy.resource::<Clock<Play>>(), game.resource::<Clock<Play>>());
    }
    assert_eq!(game.resource::<Counts>(), &Counts { waves: 3, cleanings: 19 });
}

#[test]
fn a_restored_snapshot_has_the_old_time() {
    let mut game = Game::new();
    frame(&mut game, 50 * MS);
    let snapshot = game.snapshot();
    frame(&mut game, 50 * MS);
    game.restore(&snapshot);
    assert_eq!(game.resource::<Clock<Real>>().elapsed(), 50 * MS);
}

#[test]
fn a_time_that_no_duration_can_hold_is_the_longest_one() {
    let mut clock: Clock = Clock::new().with_scale(u32::MAX, 1);
    clock.advance(Duration::MAX);
    clock.advance(Duration::MAX);
    assert_eq!((clock.delta(), clock.elapsed()), (Duration::MAX, Duration::MAX));
    assert_eq!((clock.completed(Duration::from_nanos(1)), clock.completed(Duration::ZERO)), (u64::MAX, 0));
}

#[test]
#[should_panic(expected = "the denominator of a clock's scale must not be zero")]
fn a_scale_has_a_denominator() {
    let _: Clock = Clock::new().with_scale(1, 0);
}

#[test]
fn a_file_with_an_impossible_scale_is_refused() {
    let text = serde_json::to_string(&Clock::<Play>::new().with_scale(7, 3)).unwrap();
    assert!(serde_json::from_str::<Clock<Play>>(&text).is_ok(), "{text}");
    let text = text.replace("[7,3]", "[7,0]");
    assert!(serde_json::from_str::<Clock<Play>>(&text).is_err(), "{text}");
}

proptest! {
    #[test]
    fn small_steps_are_one_big_step(
        steps in prop::collection::vec(0_u64..2_000_000_000, 0..40),
        (numerator, denominator) in (0_u32..1000, 1_u32..1000),
        period in 1_u64..1_000_000_000,
    ) {
        let mut small: Clock = Clock::new().with_scale(numerator, denominator);
        let mut big = small.clone();
        let mut completed = 0;
        for &step in &steps {
            small.advance(Duration::from_nanos(step));
            completed += small.completed(Duration::from_nanos(period));
        }
        let sum: u64 = steps.iter().sum();
        big.advance(Duration::from_nanos(sum));
        prop_assert_eq!(small.elapsed(), big.elapsed());
        prop_assert_eq!(completed, big.completed(Duration::from_nanos(period)));
        let exact = u128::from(sum) * u128::from(numerator) / u128::from(denominator);
        prop_assert_eq!(small.elapsed().as_nanos(), exact);
    }
}
