//! The effects of a panic in a system, in every executor; and runs that are undone if they fail.

use std::panic::panic_any;

use ecs::command::FailurePolicy;
use ecs::prelude::*;
use ecs::schedule::{ConsumedEvents, Parallelism, RunError, RunFailure};
use ecs_tests::fuse::panic_message;

#[derive(Component, Clone, PartialEq, Debug)]
struct A(u32);
#[derive(Component, Clone, PartialEq, Debug)]
struct B(u32);
#[derive(Component, Clone, PartialEq, Debug)]
struct C(u32);
#[derive(Event, Clone, PartialEq, Debug)]
struct Input(u32);
#[derive(Event, Clone, PartialEq, Debug)]
struct Output(&'static str);
#[derive(Resource, Clone, Default, PartialEq, Debug)]
struct Ran(Vec<&'static str>);
#[derive(Resource, Clone, Default, PartialEq, Debug)]
struct Bombs(Vec<&'static str>);
#[derive(Resource, Clone, Default, PartialEq, Debug)]
struct Total(u32);

world! {
    #[derive(Clone)]
    struct Game {
        components { A, B, C }
        resources { Ran, Bombs, Total }
        events { Input(external), Output(external) }
    }
    schedule tick {
        // waves: before 0, on_a 0, after_a 1, beside 0, after_all 2
        before, on_a, after_a, beside, sends, after_all;
        next
    }
    schedule plain { on_a, after_a, beside_b; next_plain }
    schedule careful -> Result { take_input, refuses, on_a }
    schedule inner -> Result { take_input; refuses }
    schedule outer -> Result { before; inner, next }
    schedule nested { tick }
    schedule whole { exclusive }
    schedule asked { on_a if asks }
}

fn blow(bombs: &Bombs, name: &'static str) {
    assert!(!bombs.0.contains(&name), "{name} blew up");
}

#[system(Game)]
fn before(mut total: ResMut<Total>, mut commands: Commands<Game>, mut output: EventWriter<Output>) {
    total.0 += 1;
    commands.spawn(A(100));
    output.send(Output("before"));
}
#[system(Game)]
fn on_a(mut all: Query<&mut A>, bombs: Res<Bombs>) {
    all.for_each(|a| a.0 += 1);
    blow(&bombs, "on_a");
}
#[system(Game)]
fn after_a(all: Query<&A>, mut all_b: Query<&mut B>, bombs: Res<Bombs>) {
    let first = all.iter().next().map_or(0, |a| a.0);
    all_b.for_each(|b| b.0 += first);
    blow(&bombs, "after_a");
}
/// A system without conflicts with the systems before it.
#[system(Game)]
fn beside(c: &mut C) {
    c.0 += 1;
}
#[system(Game)]
fn beside_b(mut all: Query<&mut C>, bombs: Res<Bombs>) {
    all.for_each(|c| c.0 += 1);
    blow(&bombs, "beside_b");
}
#[system(Game)]
fn sends(mut output: EventWriter<Output>, mut commands: Commands<Game>) {
    output.send(Output("sends"));
    commands.spawn(B(100));
}
#[system(Game)]
fn after_all(mut all: Query<(&mut B, &mut C)>) {
    all.for_each(|(b, c)| (b.0, c.0) = (1000, 1000));
}
#[system(Game)]
fn next(mut ran: ResMut<Ran>) {
    ran.0.push("next");
}
#[system(Game)]
fn next_plain(mut ran: ResMut<Ran>) {
    ran.0.push("next_plain");
}
#[system(Game)]
fn take_input(mut input: EventReader<Input>, mut total: ResMut<Total>, bombs: Res<Bombs>) {
    total.0 += input.iter().map(|input| input.0).sum::<u32>();
    blow(&bombs, "take_input");
}
#[system(Game)]
fn refuses(total: Res<Total>) -> Result<(), String> {
    if total.0 > 10 { Err(format!("{} is too much", total.0)) } else { Ok(()) }
}
#[system(Game)]
fn exclusive(game: &mut Game) {
    game.resource_mut::<Total>().0 += 1;
    let bombs = game.resource::<Bombs>().clone();
    blow(&bombs, "exclusive");
}
#[system(Game)]
fn asks(bombs: Res<Bombs>) -> bool {
    blow(&bombs, "asks");
    true
}

fn game(bombs: &[&'static str]) -> Game {
    let mut game = Game::default();
    game.on_failed_command(FailurePolicy::Ignore);
    game.spawn_batch((0..3).map(|n| (A(n), B(n), C(n))));
    game.resource_mut::<Bombs>().0 = bombs.to_vec();
    game
}

/// Calls `f` for each way in which a schedule can be run.
fn in_every_way(bombs: &[&'static str], f: impl Fn(Game) + Sync) {
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for (spread, timed) in [
            (Parallelism::Never, false),
            (Parallelism::Never, true),
            (Parallelism::Always, false),
            (Parallelism::Always, true),
        ] {
            let mut game = game(bombs);
            game.set_parallelism(spread);
            game.time_systems(timed);
            pool.install(|| f(game));
        }
    }
}

fn values(game: &Game) -> Vec<(u32, u32, u32)> {
    game.query::<(&A, &B, &C)>().iter().map(|(a, b, c)| (a.0, b.0, c.0)).collect()
}

#[test]
fn after_a_panic_systems_before_it_have_run_and_dependent_ones_have_not() {
    in_every_way(&["on_a"], |mut game| {
        let message = panic_message(|| game.tick());
        assert_eq!(message, "system `on_a` of schedule `tick` of world `Game` panicked: on_a blew up");
        // `on_a` up to its panic and `beside`, which has the same wave; not `after_a` and
        // `after_all`
        assert_eq!(values(&game), [(1, 0, 1), (2, 1, 2), (3, 2, 3)]);
        // the events of `before` are kept, and the effects of `sends`, which has the wave of `on_a`
        assert_eq!(game.resource::<Total>().0, 1);
        assert_eq!(game.drain::<Output>().collect::<Vec<_>>(), [Output("before"), Output("sends")]);
        // no command of the stage was applied
        assert_eq!(game.entities().len(), 3);
        assert_eq!(game.resource::<Ran>().0, [""; 0]);
    });
}

#[test]
fn an_entity_that_panics_does_not_keep_the_others_from_running() {
    for threads in [1, 2, 4] {
        for parallelism in [Parallelism::Auto, Parallelism::Never, Parallelism::Always] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut game = Game::default();
            game.set_parallelism(parallelism);
            game.spawn_batch((0..40_000).map(A));
            let bombs = [9_000, 9_001, 23_000, 39_999];
            let visit = |a: &mut A| {
                assert!(!bombs.contains(&a.0), "{}", a.0);
                a.0 = 0;
            };
            let message = pool.install(|| panic_message(|| game.query_mut::<&mut A>().par_for_each(visit)));
            assert_eq!(message, "9000");
            let left: Vec<u32> = game.query::<&A>().iter().map(|a| a.0).filter(|&a| a != 0).collect();
            assert_eq!(left, bombs, "{threads} threads, {parallelism:?}");
        }
    }
}

#[test]
fn a_run_that_panics_is_undone() {
    in_every_way(&["after_a"], |mut game| {
        game.tick_to_warm();
        let before = game.clone();
        let error = game.try_run(|game| game.tick()).unwrap_err();
        assert_eq!((error.world, error.schedule, error.system), ("Game", "tick", "after_a"));
        let RunFailure::Panicked(message) = &error.cause else { panic!("{error}") };
        assert_eq!(message, "system `after_a` of schedule `tick` of world `Game` panicked: after_a blew up");
        assert_eq!(values(&game), values(&before));
        assert_eq!(game.resource::<Total>(), before.resource::<Total>());
        assert_eq!(game.drain::<Output>().count(), 0);
        game.resource_mut::<Bombs>().0.clear();
        assert!(game.try_run(|game| game.tick()).is_ok());
        assert_eq!(game.resource::<Ran>().0, ["next"]);
    });
}

trait Warm {
    fn tick_to_warm(&mut self);
}

impl Warm for Game {
    /// Some runs without a panic, so that the measurements are done.
    fn tick_to_warm(&mut self) {
        let bombs = std::mem::take(&mut self.resource_mut::<Bombs>().0);
        self.asked();
        self.whole();
        self.resource_mut::<Bombs>().0 = bombs;
    }
}

#[test]
fn a_failed_run_is_undone_and_reports_the_events_it_read() {
    in_every_way(&[], |mut game| {
        game.send(Input(4));
        game.careful().unwrap();
        [5, 6].into_iter().for_each(|n| game.send(Input(n)));
        let error: RunError = game.try_run(|game| game.careful()).unwrap_err();
        assert_eq!((error.schedule, error.system), ("careful", "refuses"));
        let [ConsumedEvents { event: "Input", schedule: "careful", system: "take_input", count: 2, .. }] =
            error.consumed[..]
        else {
            panic!("{error}")
        };
        assert_eq!(
            error.to_string(),
            "system `refuses` of schedule `careful` of world `Game` failed: 15 is too much; the world is as it was before \
             the run; events that are unread again: 2 of `Input` by `take_input` of schedule `careful`",
        );
        assert_eq!((game.resource::<Total>().0, values(&game)[0]), (4, (1, 0, 0)));
        // the reader of `inner` has read nothing yet
        let error = game.try_run(|game| game.outer()).unwrap_err();
        assert_eq!((error.schedule, error.system), ("inner", "refuses"));
        assert_eq!((error.consumed[0].schedule, error.consumed[0].count), ("inner", 3));
        assert_eq!(game.stats().events[0].kept, 3);
    });
}

#[test]
fn the_innermost_schedule_is_named() {
    let mut nested = game(&["on_a"]);
    let error = nested.try_run(|game| game.nested()).unwrap_err();
    assert_eq!((error.schedule, error.system), ("tick", "on_a"));
    let mut whole = game(&["exclusive"]);
    let error = whole.try_run(|game| game.whole()).unwrap_err();
    assert_eq!((error.schedule, error.system, whole.resource::<Total>().0), ("whole", "exclusive", 0));
    let mut asked = game(&["asks"]);
    let error = asked.try_run(|game| game.asked()).unwrap_err();
    assert_eq!((error.schedule, error.system), ("asked", "on_a"));
    let message =
        "condition `asks` of system `on_a` of schedule `asked` of world `Game` panicked: asks blew up";
    assert!(error.to_string().starts_with(message), "{error}");
    let mut once = game(&["on_a"]);
    let error = once.try_run(|game| game.run::<on_a>()).unwrap_err();
    assert_eq!((error.schedule, error.system, values(&once)[0]), ("", "on_a", (0, 0, 0)));
    let error = once.try_run(|_| -> () { panic!("in no system") }).unwrap_err();
    assert_eq!((error.schedule, error.system), ("", ""));
    assert_eq!(error.to_string(), "in no system; the world is as it was before the run");
}

#[test]
fn a_panic_of_before_is_not_taken_for_the_one_of_the_run() {
    let mut world = game(&[]);
    // of a world that replaces this one
    let mut other = game(&["on_a"]);
    panic_message(|| other.tick());
    let error = world.try_run(|game| -> () {
        *game = other.clone();
        panic!("in no system")
    });
    let error = error.unwrap_err();
    assert_eq!((error.system, error.schedule), ("", ""));
    // of a run with a caught panic
    for again in ["again", "on_a blew up", "system `on_a` of schedule `tick` of world `Game` panicked: no"] {
        let error = world.try_run(|game| -> () {
            *game = other.clone();
            panic_message(|| game.tick());
            panic!("{again}")
        });
        let error = error.unwrap_err();
        assert_eq!((error.system, error.schedule), ("", ""), "{again}");
    }
    let mut built = Schedule::<Game>::new("built");
    let catches = |game: &mut Game| -> () {
        *game.resource_mut::<Bombs>() = Bombs(vec!["on_a"]);
        panic_message(|| game.tick());
        panic_any(3)
    };
    built.add_exclusive(&mut world, "catches", 0, catches).unwrap();
    let error = built.try_run(&mut world).unwrap_err();
    assert_eq!((error.system, error.schedule), ("catches", "built"));
    assert_eq!(error.to_string(), "a panic without a message; the world is as it was before the run");
}

#[test]
fn a_run_that_succeeds_returns_its_value() {
    let mut game = game(&[]);
    let sum = game.try_run(|game| {
        game.careful()?;
        Ok(game.query::<&A>().iter().map(|a| a.0).sum::<u32>())
    });
    assert_eq!(sum.unwrap(), 1 + 2 + 3);
}

#[test]
fn a_built_schedule_is_undone_with_its_world() {
    let mut game = game(&[]);
    let mut built = Schedule::<Game>::new("built");
    built.add::<before>(&mut game, 0).unwrap();
    built
        .add_fn(&mut game, "counts", 1, |mut runs: Local<u32>, mut total: ResMut<Total>| {
            *runs += 1;
            total.0 = *runs;
        })
        .unwrap();
    built.add_fn(&mut game, "boom", 2, |total: Res<Total>| assert!(total.0 != 2, "two")).unwrap();
    built.try_run(&mut game).unwrap();
    for _ in 0..2 {
        let error = built.try_run(&mut game).unwrap_err();
        assert_eq!((error.schedule, error.system), ("built", "boom"));
        assert_eq!((game.resource::<Total>().0, game.entities().len()), (1, 4));
    }
    // a pending change is applied by the next run, and not lost with the undone run
    game.edit_schedule("other", |_, game| game.resource_mut::<Total>().0 = 50);
    built.try_run(&mut game).unwrap_err();
    Schedule::<Game>::new("other").run(&mut game).unwrap();
    assert_eq!(game.resource::<Total>().0, 50);
    built.remove_named(&mut game, "boom");
    built.run(&mut game).unwrap();
    assert_eq!(game.resource::<Total>().0, 2);
}
