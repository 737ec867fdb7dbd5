//! Systems that run in the background: their output arrives at a declared place, whatever happens
//! to the world in between.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Barrier, Mutex, mpsc};
use std::time::Duration;

use ecs::background::Cancelled;
use ecs::prelude::*;
use ecs::save::LoadOptions;
use ecs::schedule::Parallelism;
use ecs::system::Tick;
use ecs::{Accumulate, Accumulator, Has, Schedule};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(tracked)]
struct Value(u64);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Sum(u64);
#[derive(Component, Clone, Serialize, Deserialize)]
struct Large;
#[derive(Event, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Found(Entity, u64);
/// Where and what arrived: the number of the run of the schedule, and the sum.
#[derive(Resource, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
struct Arrived {
    tick: u32,
    sums: Vec<(u32, u64)>,
}
#[derive(Resource, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
struct Total(f64);
#[derive(Resource, Clone, Copy, Default, Serialize, Deserialize)]
struct Wanted(bool);
/// The time that the function takes. It is no part of the state.
#[derive(Resource, Clone, Copy, Default)]
#[resource(skip)]
struct Slowness(u64);

impl Accumulate for Total {
    type Value = f64;
    fn accumulate(&mut self, value: f64) {
        self.0 = self.0 * 0.5 + value;
    }
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Value, Sum, Large }
        resources { Arrived, Total, Wanted, slowness: Slowness = Slowness::default() }
        events { Found }
    }
    schedule tick { count; grow, sum, weigh; receive }
    schedule on_demand { count; grow; sum if is_wanted; receive }
}

#[system(Game)]
fn count(mut arrived: ResMut<Arrived>) {
    arrived.tick += 1;
}
#[system(Game)]
fn is_wanted(wanted: Res<Wanted>) -> bool {
    wanted.0
}
#[system(Game)]
fn grow(mut value: Mut<Value>) {
    value.0 = value.0.wrapping_mul(31).wrapping_add(7);
}

/// A query, a resource, a local value; events, commands and values for a resource.
#[system(Game, background(ticks = 3))]
fn sum(
    values: Query<(Entity, &Value), Without<Sum>>,
    slowness: Res<Slowness>,
    mut runs: Local<u64>,
    mut found: EventWriter<Found>,
    mut total: Accumulator<Total>,
    mut commands: ParCommands<Game>,
) {
    std::thread::sleep(Duration::from_millis(slowness.0));
    *runs += 1;
    let sum = values.iter().fold(*runs, |sum, (_, value)| sum.wrapping_add(value.0));
    total.add(sum as f64);
    if let Some((first, _)) = values.iter().next() {
        commands.insert(first, Large);
        found.send(Found(first, sum));
    }
    commands.spawn_then(Sum(sum), |game, entity| {
        let tick = game.resource::<Arrived>().tick;
        game.insert(entity, Value(u64::from(tick))).unwrap();
    });
}

/// For each entity.
#[system(Game, background(ticks = 2))]
fn weigh(
    entity: Entity,
    value: &Value,
    is_large: Is<Large>,
    _: Without<Sum>,
    mut total: Accumulator<Total>,
    mut commands: ParCommands<Game>,
) {
    if value.0.is_multiple_of(3) && !*is_large {
        total.add(value.0 as f64);
        commands.spawn(Value(value.0 / 3));
        commands.despawn_if_alive(entity);
    }
}

#[system(Game)]
fn receive(mut found: EventReader<Found>, mut arrived: ResMut<Arrived>) {
    let tick = arrived.tick;
    arrived.sums.extend(found.iter().map(|found| (tick, found.1)));
}

fn game(milliseconds: u64) -> Game {
    let mut game = Game::new(Arrived::default(), Total::default(), Wanted(true));
    game.resource_mut::<Slowness>().0 = milliseconds;
    game.spawn_batch((0..200).map(Value));
    game
}

fn run(game: &mut Game, ticks: u32) {
    (0..ticks).for_each(|_| game.tick());
}

fn ticks(game: &Game) -> Vec<u32> {
    game.resource::<Arrived>().sums.iter().map(|&(tick, _)| tick).collect()
}

fn state(game: &Game) -> (u64, Arrived, u64, Vec<(Entity, Value)>) {
    let values = game.query::<(Entity, &Value)>().iter().map(|(entity, value)| (entity, value.clone()));
    (game.hash(), game.resource::<Arrived>().clone(), game.resource::<Total>().0.to_bits(), values.collect())
}

/// Acceptance row W60: systems that take longer than a frame stall nobody but themselves.
#[test]
fn w60_a_system_that_takes_longer_than_a_tick_does_not_stall_the_ticks_before_its_output() {
    static GATE: Mutex<Option<Arc<Barrier>>> = Mutex::new(None);
    #[derive(Component, Clone)]
    struct Done(u32);
    world! {
        #[derive(Clone)]
        struct Slow { components { Done } }
        schedule tick { think }
    }
    #[system(Slow, background(ticks = 4))]
    fn think(mut commands: ParCommands<Slow>) {
        let gate = GATE.lock().unwrap().clone();
        if let Some(gate) = gate {
            gate.wait();
        }
        commands.spawn(Done(7));
    }
    let gate = Arc::new(Barrier::new(2));
    *GATE.lock().unwrap() = Some(gate.clone());
    let mut slow = Slow::new();
    (0..4).for_each(|_| slow.tick()); // the function waits for the gate
    assert_eq!(slow.query::<&Done>().len(), 0);
    gate.wait();
    *GATE.lock().unwrap() = None;
    slow.tick();
    assert_eq!(slow.query::<&Done>().single().unwrap().0, 7);
}

#[test]
fn the_output_arrives_in_the_declared_run_of_the_schedule_however_long_the_function_takes() {
    let mut states = Vec::new();
    for (milliseconds, parallelism, threads) in [
        (0, Parallelism::Never, 1),
        (4, Parallelism::Never, 1),
        (0, Parallelism::Always, 2),
        (4, Parallelism::Always, 3),
        (0, Parallelism::Auto, 1),
        (1, Parallelism::Auto, 4),
    ] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut game = game(milliseconds);
        game.set_parallelism(parallelism);
        pool.install(|| run(&mut game, 14));
        assert_eq!(ticks(&game), [4, 8, 12]); // begun in 1, 5 and 9
        game.resource_mut::<Slowness>().0 = 0;
        states.push(state(&game));
    }
    assert!(states.iter().all(|one| *one == states[0]), "{states:?}");
}

#[test]
fn the_function_reads_the_world_of_the_begin_and_its_commands_change_the_world_of_the_end() {
    let mut game = game(0);
    let before = game
        .query::<&Value>()
        .iter()
        .fold(1_u64, |sum, value| sum.wrapping_add(value.0.wrapping_mul(31).wrapping_add(7)));
    run(&mut game, 4);
    assert_eq!(game.resource::<Arrived>().sums, [(4, before)]);
    let (sum, value) = game.query::<(&Sum, &Value)>().single().unwrap();
    assert_eq!(
        (sum.0, value.0),
        (before, 4),
        "the closure of the command has seen the world of the tick in which it arrived"
    );
}

#[test]
fn copies_restores_and_loaded_worlds_get_the_same_output_in_the_same_run() {
    for begin in 0..7 {
        let mut first = game(1);
        run(&mut first, begin);
        let (mut copy, snapshot, bytes) = (first.clone(), first.snapshot(), first.to_bytes().unwrap());
        let text = serde_json::to_string(&first).unwrap();
        assert_eq!(copy.hash(), first.hash());
        assert!(ecs::save::diff(&copy, &first).is_empty());
        run(&mut first, 9);
        let expected = state(&first);
        run(&mut copy, 9);
        assert_eq!(state(&copy), expected, "the copy of run {begin}");
        for _ in 0..2 {
            first.restore(&snapshot);
            run(&mut first, 9);
            assert_eq!(state(&first), expected, "the snapshot of run {begin}");
        }
        let mut loaded = Game::load(&bytes).unwrap();
        assert_eq!(loaded.to_bytes().unwrap(), bytes, "the file of run {begin}");
        run(&mut loaded, 9);
        assert_eq!(state(&loaded), expected, "the file of run {begin}");
        let mut loaded: Game = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&loaded).unwrap(), text);
        run(&mut loaded, 9);
        assert_eq!(state(&loaded), expected, "the text of run {begin}");
    }
}

#[test]
fn a_condition_decides_whether_a_run_begins_and_not_when_its_output_arrives() {
    let mut game = game(0);
    game.on_demand(); // begins
    game.resource_mut::<Wanted>().0 = false;
    (0..9).for_each(|_| game.on_demand());
    assert_eq!(ticks(&game), [4]);
    game.resource_mut::<Wanted>().0 = true;
    (0..4).for_each(|_| game.on_demand());
    assert_eq!(ticks(&game), [4, 14]);
}

#[test]
fn a_run_waits_while_its_system_is_switched_off() {
    let mut game = game(0);
    game.on_demand();
    game.enable::<sum>(false);
    (0..5).for_each(|_| game.on_demand());
    game.enable::<sum>(true);
    (0..3).for_each(|_| game.on_demand());
    assert_eq!(ticks(&game), [9]);
}

#[test]
fn a_cancelled_run_has_no_output_and_the_next_run_of_the_schedule_begins_another() {
    let mut game = game(0);
    run(&mut game, 2);
    assert!(game.is_in_background::<sum>());
    assert_eq!((game.cancel_background::<sum>(), game.cancel_background::<sum>()), (1, 0));
    assert!(!game.is_in_background::<sum>());
    run(&mut game, 4);
    assert_eq!(ticks(&game), [6]);
}

#[test]
fn run_calls_the_function_at_once() {
    let mut game = game(0);
    game.run::<sum>();
    assert!(!game.is_in_background::<sum>());
    assert_eq!(game.query::<&Sum>().len(), 1);
    game.run::<weigh>();
    // each third of 0 to 199 becomes a new entity with a third of its value, but for the first,
    // which is large
    let mut values: Vec<u64> = game.query::<&Value>().iter().map(|value| value.0).collect();
    let mut expected: Vec<u64> =
        (0..200).map(|value| if value % 3 == 0 { value / 3 } else { value }).collect();
    expected.push(0); // the entity with the sum
    values.sort_unstable();
    expected.sort_unstable();
    assert_eq!(values, expected);
}

#[test]
fn a_schedule_of_the_run_time_has_the_same_runs() {
    let mut built = game(0);
    let mut schedule = Schedule::<Game>::new("built");
    schedule.add::<count>(&mut built, 0).unwrap();
    schedule.add::<grow>(&mut built, 1).unwrap();
    schedule.add::<sum>(&mut built, 2).unwrap();
    schedule.add::<receive>(&mut built, 3).unwrap();
    let mut written = game(0);
    for _ in 0..9 {
        schedule.run(&mut built).unwrap();
        written.on_demand();
    }
    assert_eq!(ticks(&built), [4, 8]);
    assert_eq!(built.resource::<Arrived>(), written.resource::<Arrived>());
    schedule.close(&mut built);
}

#[test]
fn a_try_run_that_fails_undoes_the_end_of_a_run() {
    let mut game = game(0);
    run(&mut game, 3);
    let before = state(&game);
    let result = game.try_run(|game| {
        game.tick();
        assert_eq!(ticks(game), [4]);
        assert!(ticks(game).is_empty(), "no");
    });
    assert!(result.is_err());
    assert_eq!(state(&game), before);
    game.tick();
    assert_eq!(ticks(&game), [4]);
}

mod failing {
    use super::*;

    #[derive(Resource, Clone, Default)]
    struct Behaviour(u32);
    #[derive(Resource, Clone, Default, PartialEq, Debug)]
    struct Seen(u32);
    #[derive(Component, Clone)]
    struct Made;
    #[derive(Event, Clone)]
    struct Sent;

    #[derive(Debug, PartialEq)]
    struct NoRoute(u32); // not `Clone`

    impl std::fmt::Display for NoRoute {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            write!(f, "no route after {}", self.0)
        }
    }
    impl std::error::Error for NoRoute {}

    world! {
        #[derive(Clone)]
        struct Maze { components { Made } resources { Behaviour, Seen } events { Sent } }
        schedule tick -> Result { search; see }
    }

    #[system(Maze, background(ticks = 2))]
    fn search(
        behaviour: Res<Behaviour>,
        mut sent: EventWriter<Sent>,
        mut commands: ParCommands<Maze>,
    ) -> Result<(), NoRoute> {
        sent.send(Sent);
        commands.spawn(Made);
        match behaviour.0 {
            0 => Ok(()),
            1 => Err(NoRoute(5)),
            _ => std::panic::resume_unwind(Box::new("a dead end".to_owned())),
        }
    }
    #[system(Maze)]
    fn see(mut sent: EventReader<Sent>, mut seen: ResMut<Seen>) {
        seen.0 += sent.iter().count() as u32;
    }

    #[test]
    fn an_error_fails_the_schedule_where_the_output_would_arrive() {
        let mut maze = Maze::default();
        maze.resource_mut::<Behaviour>().0 = 1;
        maze.tick().unwrap();
        maze.tick().unwrap();
        let mut copy = maze.clone();
        for maze in [&mut maze, &mut copy] {
            let error = maze.tick().unwrap_err();
            assert_eq!((error.system, error.schedule), ("search", "tick"));
            assert_eq!(
                error.source.downcast_ref(),
                Some(&NoRoute(5)),
                "the error itself, also for a copy of the world"
            );
            assert_eq!((maze.query::<&Made>().len(), maze.resource::<Seen>()), (0, &Seen(0)));
            maze.resource_mut::<Behaviour>().0 = 0;
            (0..3).for_each(|_| maze.tick().unwrap());
            assert_eq!((maze.query::<&Made>().len(), maze.resource::<Seen>()), (1, &Seen(1)));
        }
        maze.resource_mut::<Behaviour>().0 = 1;
        assert_eq!(maze.run::<search>().unwrap_err().to_string(), "no route after 5");
    }

    #[test]
    fn a_panic_reaches_the_schedule_where_the_output_would_arrive() {
        let mut maze = Maze::default();
        maze.resource_mut::<Behaviour>().0 = 2;
        maze.tick().unwrap();
        maze.tick().unwrap();
        let mut copy = maze.clone();
        for maze in [&mut maze, &mut copy] {
            let payload = catch_unwind(AssertUnwindSafe(|| maze.tick())).unwrap_err();
            let text = payload.downcast_ref::<String>().unwrap();
            assert_eq!(text, "system `search` of schedule `tick` of world `Maze` panicked: a dead end");
            assert_eq!((maze.query::<&Made>().len(), maze.resource::<Seen>()), (0, &Seen(0)));
            maze.resource_mut::<Behaviour>().0 = 0;
            (0..3).for_each(|_| maze.tick().unwrap());
            assert_eq!((maze.query::<&Made>().len(), maze.resource::<Seen>()), (1, &Seen(1)));
        }
    }
}

mod done {
    use super::*;

    static GATE: Mutex<Option<Arc<Barrier>>> = Mutex::new(None);
    static TOLD: Mutex<Option<mpsc::Sender<()>>> = Mutex::new(None);

    #[derive(Component, Clone)]
    struct Made;

    world! {
        #[derive(Clone)]
        struct Loose { components { Made } }
        schedule tick { wait_for_gate }
        schedule endless { until_cancelled }
    }

    #[system(Loose, background(when_done))]
    fn wait_for_gate(mut commands: ParCommands<Loose>) {
        let gate = GATE.lock().unwrap().clone();
        if let Some(gate) = gate {
            gate.wait();
        }
        commands.spawn(Made);
    }
    #[system(Loose, background(ticks = 1000))]
    fn until_cancelled(cancelled: Cancelled) {
        while !cancelled.is_cancelled() {
            std::thread::yield_now();
        }
        if let Some(told) = &*TOLD.lock().unwrap() {
            told.send(()).unwrap();
        }
    }

    #[test]
    fn an_output_when_done_is_not_waited_for() {
        let gate = Arc::new(Barrier::new(2));
        *GATE.lock().unwrap() = Some(gate.clone());
        let mut loose = Loose::new();
        (0..50).for_each(|_| loose.tick());
        assert_eq!(loose.query::<&Made>().len(), 0);
        gate.wait();
        *GATE.lock().unwrap() = None;
        while loose.query::<&Made>().is_empty() {
            loose.tick();
        }
        assert_eq!(loose.query::<&Made>().len(), 1);
    }

    #[test]
    fn the_function_is_told_when_no_world_wants_its_output() {
        let (told, heard) = mpsc::channel();
        *TOLD.lock().unwrap() = Some(told);
        let minute = Duration::from_secs(60);
        let mut loose = Loose::new();
        loose.endless();
        let copy = loose.clone();
        loose.cancel_background::<until_cancelled>();
        assert!(heard.try_recv().is_err(), "the copy still wants the output");
        drop(copy);
        assert_eq!(heard.recv_timeout(minute), Ok(()));
        let before = loose.snapshot();
        loose.endless();
        loose.restore(&before);
        assert_eq!(heard.recv_timeout(minute), Ok(()), "the restored world has no run");
        loose.endless();
        drop((loose, before));
        assert_eq!(heard.recv_timeout(minute), Ok(()), "the world was dropped");
    }
}

#[test]
fn changed_compares_with_the_run_before() {
    #[derive(Component, Clone)]
    #[component(tracked)]
    struct Height(u32);
    #[derive(Resource, Clone, Default)]
    struct Log(Vec<Vec<u32>>);
    impl Accumulate for Log {
        type Value = Vec<u32>;
        fn accumulate(&mut self, value: Vec<u32>) {
            self.0.push(value);
        }
    }
    world! {
        #[derive(Clone)]
        struct Land { components { Height } resources { Log } }
        schedule tick { survey }
    }
    #[system(Land, background(ticks = 1))]
    fn survey(heights: Query<&Height, Changed<Height>>, _now: Tick, mut log: Accumulator<Log>) {
        log.add(heights.iter().map(|height| height.0).collect());
    }
    let mut land = Land::default();
    let hill = land.spawn(Height(1));
    land.spawn(Height(2));
    (0..4).for_each(|_| land.tick());
    land.get_tracked::<Height>(hill).unwrap().0 = 9;
    (0..4).for_each(|_| land.tick());
    assert_eq!(land.resource::<Log>().0, [vec![1, 2], vec![], vec![9], vec![]]);
}

#[test]
fn a_generic_system_runs_in_the_background_of_any_world_that_is_clone() {
    #[derive(Component, Clone, PartialEq, Debug)]
    struct Marked;
    world! {
        #[derive(Clone)]
        struct One { components { Marked } }
        schedule tick { mark }
    }
    world! {
        #[derive(Clone)]
        struct Two { components { Marked } }
        schedule tick { mark; }
    }
    #[system(W, background(ticks = 1))]
    fn mark<W: ecs::background::BackgroundWorld + Has<Marked>>(
        marked: Query<&Marked>,
        mut commands: ParCommands<W>,
    ) {
        let count = marked.len();
        commands.run(move |world| {
            let marks = world.query::<&Marked>().len();
            assert_eq!(marks, count);
        });
    }
    let (mut one, mut two) = (One::new(), Two::new());
    one.spawn(Marked);
    (0..4).for_each(|_| one.tick());
    (0..4).for_each(|_| two.tick());
}

#[test]
fn runs_of_two_systems_do_not_keep_each_other_alive() {
    static ALIVE: AtomicU32 = AtomicU32::new(0);
    struct Counted;
    impl Clone for Counted {
        fn clone(&self) -> Self {
            ALIVE.fetch_add(1, Ordering::Relaxed);
            Self
        }
    }
    impl Drop for Counted {
        fn drop(&mut self) {
            ALIVE.fetch_sub(1, Ordering::Relaxed);
        }
    }
    #[derive(Resource, Clone)]
    struct Held(#[allow(dead_code)] Arc<()>, #[allow(dead_code)] Counted);
    world! {
        #[derive(Clone)]
        struct Pair { resources { Held } }
        schedule tick { first; second }
    }
    #[system(Pair, background(ticks = 3))]
    fn first() {}
    #[system(Pair, background(ticks = 2))]
    fn second() {}
    ALIVE.store(1, Ordering::Relaxed);
    let mut pair = Pair::new(Held(Arc::new(()), Counted));
    (0..200).for_each(|_| pair.tick());
    let alive = ALIVE.load(Ordering::Relaxed);
    assert!(alive <= 8, "{alive} copies of the resource are alive"); // the world, a snapshot and a copy for each run
}

#[test]
fn a_forged_file_of_a_run_is_refused() {
    let mut game = game(0);
    run(&mut game, 2);
    let text = serde_json::to_string(&game).unwrap();
    let mut file: serde_json::Value = serde_json::from_str(&text).unwrap();
    let place = |file: &serde_json::Value| {
        file["systems"]["tick/sum"]["state"]
            .as_array()
            .unwrap()
            .iter()
            .position(|part| part["under_way"].is_object())
            .unwrap()
    };
    let at = place(&file);
    let refused =
        |file: &serde_json::Value| serde_json::from_value::<Game>(file.clone()).unwrap_err().to_string();

    let saved = file["systems"]["tick/sum"]["state"][at]["under_way"]["left"].clone();
    file["systems"]["tick/sum"]["state"][at]["under_way"]["left"] = 0.into();
    assert!(refused(&file).contains("whose output was due"), "{}", refused(&file));
    // a delay that is longer than the declared one counts as the declared one
    file["systems"]["tick/sum"]["state"][at]["under_way"]["left"] = u32::MAX.into();
    let mut patient: Game = serde_json::from_value(file.clone()).unwrap();
    run(&mut patient, 3);
    assert_eq!(ticks(&patient), [5]);
    file["systems"]["tick/sum"]["state"][at]["under_way"]["left"] = saved;

    // a run that began after the file was saved
    let started = file["systems"]["tick/sum"]["state"][at]["started"].take();
    file["systems"]["tick/sum"]["state"][at]["started"] = (1_u64 << 40).into();
    assert!(refused(&file).contains("later than the file's tick"), "{}", refused(&file));
    file["systems"]["tick/sum"]["state"][at]["started"] = started;

    // a run within the world of a run
    let mut run_of_run = file["systems"]["tick/sum"].clone();
    run_of_run["last_run"] = 0.into();
    file["systems"]["tick/sum"]["state"][at]["under_way"]["world"]["systems"] =
        serde_json::json!({ "tick/sum": run_of_run });
    assert!(refused(&file).contains("within the world of another one"), "{}", refused(&file));
}

#[test]
fn the_world_of_a_run_counts_against_the_memory_of_its_file() {
    let mut game = game(0);
    run(&mut game, 2);
    let bytes = game.to_bytes().unwrap();
    let least = (10..24)
        .map(|exponent| 1_u64 << exponent)
        .find(|&memory| Game::load_with(&bytes, LoadOptions::new().memory(memory)).is_ok())
        .unwrap();
    game.cancel_background::<sum>();
    game.cancel_background::<weigh>();
    let bytes = game.to_bytes().unwrap();
    assert!(Game::load_with(&bytes, LoadOptions::new().memory(least / 2)).is_ok(), "{least} bytes");
}

#[test]
fn queries_of_the_function_pass_over_disabled_entities() {
    #[derive(Component, Clone)]
    struct Height(u32);
    #[derive(Component, Clone)]
    #[component(disables)]
    struct Asleep;
    #[derive(Resource, Clone, Default, PartialEq, Debug)]
    struct Log(Vec<u32>);
    impl Accumulate for Log {
        type Value = u32;
        fn accumulate(&mut self, value: u32) {
            self.0.push(value);
        }
    }
    world! {
        #[derive(Clone)]
        struct Land { components { Height, Asleep } resources { Log } }
        schedule tick { all; each }
    }
    #[system(Land, background(ticks = 1))]
    fn all(mut log: Accumulator<Log>, heights: Query<&Height>) {
        log.extend(heights.iter().map(|height| height.0));
    }
    #[system(Land, background(ticks = 1))]
    fn each(mut log: Accumulator<Log>, height: &Height) {
        log.add(height.0 * 10);
    }
    let mut land = Land::default();
    land.spawn(Height(1));
    land.spawn((Height(2), Asleep));
    land.spawn(Height(3));
    land.tick();
    land.tick();
    assert_eq!(land.resource::<Log>().0, [1, 3, 10, 30]);
}
