//! Clocks and timers, as data of a world.

use std::time::Duration;

use ecs::prelude::*;
use ecs::time::{
    Delayed, RemoveBundle, Stopwatch, advance_fixed, apply_due, every_millis, every_runs, follow, send_due,
};
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
fn a_clock_advances_from_one_due_time_to_the_next() {
    let (mut clock, mut delayed): (Clock, Delayed<u32>) = (Clock::new().with_scale(3, 2), Delayed::new());
    delayed.send_at(25 * MS, 1);
    delayed.send_at(70 * MS, 2);
    let mut times = Vec::new();
    while let Some(due) = delayed.next_due() {
        let next = due.min(clock.next_due(30 * MS));
        clock.advance_to(next);
        let period = clock.completed(30 * MS);
        times.push((clock.elapsed(), period, delayed.take_due(next).collect::<Vec<_>>()));
    }
    let expected = [(25, 0, vec![1]), (30, 1, vec![]), (60, 1, vec![]), (70, 0, vec![2])];
    assert!(times.into_iter().eq(expected.map(|(at, period, sent)| (at * MS, period, sent))));

    clock.advance_to(10 * MS);
    assert_eq!((clock.delta(), clock.elapsed()), (Duration::ZERO, 70 * MS), "time does not go back");
    clock.pause();
    clock.advance_to(90 * MS);
    assert_eq!((clock.delta(), clock.elapsed()), (Duration::ZERO, 70 * MS));
    assert_eq!(clock.next_due(Duration::ZERO), Duration::MAX);
    assert_eq!(clock.next_due(Duration::MAX), Duration::MAX);
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

#[derive(Event, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Rings(u32);

#[derive(Resource, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
struct Heard(Vec<u32>);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Tower {
        resources {
            play: Clock<Play> = Clock::new(),
            bells: Delayed<Rings, Play> = Delayed::new(),
            Heard = Heard::default(),
        }
        events { Rings }
    }
    schedule frame { send_due::<Rings, Play>; hear }
}

#[system(Tower)]
fn hear(mut rings: EventReader<Rings>, mut heard: ResMut<Heard>) {
    heard.0.extend(rings.iter().map(|ring| ring.0));
}

fn tower() -> Tower {
    let mut tower = Tower::new();
    let bells = tower.resource_mut::<Delayed<Rings, Play>>();
    for (millis, bell) in [(300, 1), (100, 2), (300, 3), (0, 4), (500, 5), (300, 6)] {
        bells.send_at(millis * MS, Rings(bell));
    }
    tower
}

fn ring(tower: &mut Tower, millis: u32) {
    tower.resource_mut::<Clock<Play>>().advance(millis * MS);
    tower.frame();
}

#[test]
fn delayed_events_are_sent_in_the_order_of_their_times_and_of_their_addition() {
    let mut tower = tower();
    ring(&mut tower, 99);
    assert_eq!(tower.resource::<Heard>().0, [4]);
    ring(&mut tower, 1);
    assert_eq!(tower.resource::<Heard>().0, [4, 2], "at its time, not behind it");
    ring(&mut tower, 1_000);
    assert_eq!(tower.resource::<Heard>().0, [4, 2, 1, 3, 6, 5], "one long step");
    assert!(tower.resource::<Delayed<Rings, Play>>().is_empty());
    let clock = tower.resource::<Clock<Play>>().clone();
    tower.resource_mut::<Delayed<Rings, Play>>().send_after(50 * MS, &clock, Rings(7));
    tower.resource_mut::<Delayed<Rings, Play>>().send_at(Duration::ZERO, Rings(8));
    ring(&mut tower, 49);
    assert_eq!(tower.resource::<Heard>().0.last(), Some(&8), "a time in the past is due at once");
    ring(&mut tower, 1);
    assert_eq!(tower.resource::<Heard>().0.last(), Some(&7));
}

#[test]
fn delayed_events_are_part_of_copies_snapshots_and_saves() {
    let mut first = tower();
    ring(&mut first, 100);
    let (mut copy, snapshot) = (first.clone(), first.snapshot());
    let json = serde_json::to_string(&first).expect("a world is data");
    let mut loaded: Tower = serde_json::from_str(&json).expect("it was written");
    ring(&mut first, 400);
    ring(&mut copy, 400);
    ring(&mut loaded, 400);
    assert_eq!(first.resource::<Heard>().0, [4, 2, 1, 3, 6, 5]);
    assert_eq!((copy.hash(), loaded.hash()), (first.hash(), first.hash()));
    let hash = first.hash();
    first.restore(&snapshot);
    assert_eq!(first.resource::<Delayed<Rings, Play>>().len(), 4);
    ring(&mut first, 400);
    assert_eq!(first.hash(), hash);
}

#[test]
fn delayed_events_of_an_edited_save_are_sorted() {
    let text = r#"{"waiting":[[{"secs":0,"nanos":5},1],[{"secs":0,"nanos":9},2],[{"secs":0,"nanos":5},3]]}"#;
    let mut delayed: Delayed<u32> = serde_json::from_str(text).expect("it is well formed");
    assert_eq!(delayed.iter().map(|(time, _)| time.subsec_nanos()).collect::<Vec<_>>(), [5, 5, 9]);
    delayed.retain(|_, event| *event != 3);
    assert_eq!(delayed.take_due(Duration::from_nanos(5)).collect::<Vec<_>>(), [1]);
    assert_eq!(delayed.len(), 1);
}

#[test]
fn waiting_events_can_be_changed_in_the_order_of_iter() {
    let mut tower = tower();
    let bells = tower.resource_mut::<Delayed<Rings, Play>>();
    let order: Vec<_> = bells.iter().map(|(time, ring)| (time, ring.0)).collect();
    assert_eq!(bells.iter_mut().map(|(time, ring)| (time, ring.0)).collect::<Vec<_>>(), order);
    bells.iter_mut().for_each(|(_, ring)| ring.0 += 10);
    ring(&mut tower, 1_000);
    assert_eq!(tower.resource::<Heard>().0, [14, 12, 11, 13, 16, 15]);
}

#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Shield(u32);

#[derive(Component, Clone, Serialize, Deserialize)]
struct Armed;

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Camp {
        components { Shield, Armed }
        resources {
            play: Clock<Play> = Clock::new(),
            drops: Delayed<RemoveBundle<Shield>, Play> = Delayed::new(),
        }
    }
    schedule frame { apply_due::<RemoveBundle<Shield>, Play> }
}

#[test]
fn delayed_commands_follow_a_regrouping() {
    let mut camp = Camp::new();
    let heroes: Vec<Entity> = (0..200).map(|_| camp.spawn(())).collect();
    for &hero in heroes.iter().step_by(2) {
        camp.insert(hero, (Shield(1), Armed)).unwrap();
    }
    let drops = camp.resource_mut::<Delayed<RemoveBundle<Shield>, Play>>();
    heroes.iter().step_by(4).for_each(|&hero| drops.send_at(MS, RemoveBundle::of(hero)));
    let moved = camp.regroup();
    assert!(heroes.iter().step_by(4).any(|&hero| !camp.contains(hero)), "some of them move");
    for (_, command) in camp.resource_mut::<Delayed<RemoveBundle<Shield>, Play>>().iter_mut() {
        let _ = moved.update(command.entity_mut());
    }
    camp.resource_mut::<Clock<Play>>().advance(MS);
    camp.frame();
    for (at, &hero) in heroes.iter().enumerate().step_by(2) {
        assert_eq!(camp.has::<Shield>(moved.current(hero)), at % 4 == 2, "hero {at}");
    }
}

#[derive(Resource, Default)]
struct Steps(u32);

// several clocks without names
world! {
    struct Simulation {
        resources {
            Clock = Clock::new(), Clock<Real> = Clock::new(), Clock<Play> = Clock::new().with_scale(3, 2), Steps = Steps::default(),
            FixedTime = FixedTime::new(10 * MS),
        }
    }
    schedule frame { follow::<Real, Play>; advance_fixed::<Play>; simulate }
    schedule simulate every FixedTime { count_step }
}

#[system(Simulation)]
fn count_step(mut steps: ResMut<Steps>) {
    steps.0 += 1;
}

#[test]
fn a_fixed_schedule_follows_the_pause_and_the_scale_of_a_clock() {
    let mut game = Simulation::new();
    let frames = |game: &mut Simulation, count| {
        for _ in 0..count {
            game.resource_mut::<Clock<Real>>().advance(5 * MS);
            game.frame();
        }
        std::mem::take(&mut game.resource_mut::<Steps>().0)
    };
    assert_eq!(frames(&mut game, 40), 30, "200 ms at 3/2");
    game.resource_mut::<Clock<Play>>().pause();
    assert_eq!(frames(&mut game, 40), 0);
    game.resource_mut::<Clock<Play>>().resume();
    game.resource_mut::<Clock<Play>>().set_scale(1, 4);
    assert_eq!(frames(&mut game, 40), 5);
    game.resource_mut::<Clock<Real>>().pause();
    assert_eq!(frames(&mut game, 40), 0, "the parent");
    let _: (&Clock, &Clock<Real>, &Clock<Play>) = (&game.clock, &game.clock_real, &game.clock_play);
}

#[test]
fn timers_finish_once_or_again_and_pause() {
    let mut once = Timer::once(100 * MS);
    assert_eq!((once.tick(99 * MS), once.fraction(), once.is_finished()), (0, 0.99, false));
    once.pause();
    assert_eq!((once.tick(99 * MS), once.remaining()), (0, MS));
    once.resume();
    assert_eq!((once.tick(99 * MS), once.elapsed(), once.is_finished()), (1, 100 * MS, true));
    assert_eq!((once.tick(99 * MS), once.is_finished()), (0, true));
    once.reset();
    assert_eq!((once.tick(Duration::MAX), once.remaining()), (1, Duration::ZERO));

    let mut repeating = Timer::repeating(100 * MS);
    assert_eq!((repeating.tick(250 * MS), repeating.elapsed(), repeating.is_finished()), (2, 50 * MS, true));
    assert_eq!((repeating.tick(40 * MS), repeating.is_finished()), (0, false));
    assert_eq!(repeating.tick(Duration::MAX), (Duration::MAX.as_nanos() / (100 * MS).as_nanos()) as u64);

    // it has not finished in a tick that a pause has stopped; one that finishes once stays finished
    for (mut timer, still) in [(Timer::repeating(100 * MS), false), (Timer::once(100 * MS), true)] {
        timer.tick(100 * MS);
        timer.pause();
        assert!(timer.is_finished(), "in the last tick");
        for _ in 0..3 {
            assert_eq!((timer.tick(50 * MS), timer.is_finished()), (0, still));
        }
    }

    let (mut never, mut always) = (Timer::default(), Timer::repeating(Duration::ZERO));
    assert_eq!((never.tick(MS), never.tick(MS), never.fraction()), (1, 0, 1.0));
    assert_eq!((always.tick(MS), always.tick(Duration::ZERO), always.elapsed()), (1, 1, Duration::ZERO));

    let mut lap = Stopwatch::new();
    lap.tick(20 * MS);
    lap.pause();
    lap.tick(20 * MS);
    assert_eq!((lap.elapsed(), lap.is_paused()), (20 * MS, true));
    lap.reset();
    lap.resume();
    lap.tick(Duration::MAX);
    lap.tick(MS);
    assert_eq!(lap.elapsed(), Duration::MAX);
}

proptest! {
    #[test]
    fn many_small_ticks_of_a_timer_finish_as_often_as_a_large_one(
        duration in 1_u64..5_000, steps in prop::collection::vec(0_u64..9_000, 0..50),
    ) {
        let (mut small, mut large) =
            (Timer::repeating(Duration::from_nanos(duration)), Timer::repeating(Duration::from_nanos(duration)));
        let times: u64 = steps.iter().map(|step| small.tick(Duration::from_nanos(*step))).sum();
        prop_assert_eq!(large.tick(Duration::from_nanos(steps.iter().sum())), times);
        prop_assert_eq!(small.elapsed(), large.elapsed());
    }
}
