//! Random operations on worlds with systems in the background, beside a model that has the input of
//! each run as a plain list, and computes the output in the run of the schedule in which it is due.
//! The worlds use other threads and settings, and their functions take other times.

use std::time::Duration;

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs::{Accumulate, Accumulator, Snapshot};
use ecs_tests::random::random_cases;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
struct Value(u64);
#[derive(Event, Clone, Serialize, Deserialize)]
struct Counted(u64);
/// Both outputs, in the order in which they arrived.
#[derive(Resource, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
struct Log(Vec<(char, u64)>);
#[derive(Resource, Clone, Copy, Serialize, Deserialize)]
struct Wanted(bool);
#[derive(Resource, Clone, Copy, Default)]
#[resource(skip)]
struct Slowness(u64);

impl Accumulate for Log {
    type Value = (char, u64);
    fn accumulate(&mut self, value: (char, u64)) {
        self.0.push(value);
    }
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game {
        components { Value }
        resources { Log, Wanted, Slowness = Slowness::default() }
        events { Counted }
    }
    schedule tick { grow; sum if is_wanted; shrink, count; receive }
}

fn grown(value: u64) -> u64 {
    value.wrapping_mul(7).wrapping_add(3)
}

#[system(Game, par)]
fn grow(value: &mut Value) {
    value.0 = grown(value.0);
}
#[system(Game)]
fn shrink(value: &mut Value) {
    value.0 /= 2;
}
#[system(Game)]
fn is_wanted(wanted: Res<Wanted>) -> bool {
    wanted.0
}
#[system(Game, background(ticks = 3))]
fn sum(
    values: Query<&Value>,
    slowness: Res<Slowness>,
    mut log: Accumulator<Log>,
    mut commands: ParCommands<Game>,
) {
    std::thread::sleep(Duration::from_micros(slowness.0));
    let sum = values.iter().fold(0, |sum: u64, value| sum.wrapping_add(grown(value.0)));
    log.add(('s', sum));
    commands.spawn(Value(sum));
}
#[system(Game, background(ticks = 2))]
fn count(values: Query<&Value>, mut runs: Local<u64>, mut counted: EventWriter<Counted>) {
    *runs += 1;
    counted.send(Counted(*runs * 1000 + values.len() as u64));
}
#[system(Game)]
fn receive(mut counted: EventReader<Counted>, mut log: ResMut<Log>) {
    log.0.extend(counted.iter().map(|counted| ('c', counted.0)));
}

/// The model: values in the order of their spawns, which need not be that of the slots.
#[derive(Clone)]
struct Model {
    values: Vec<u64>,
    log: Vec<(char, u64)>,
    wanted: bool,
    sum: Option<(u32, Vec<u64>)>,
    count: Option<(u32, usize)>,
    runs: u64,
}

impl Model {
    fn tick(&mut self) {
        self.values.iter_mut().for_each(|value| *value = grown(*value));
        match &mut self.sum {
            None if self.wanted => self.sum = Some((3, self.values.clone())),
            None => {}
            Some((left, _)) if *left > 1 => *left -= 1,
            Some((_, input)) => {
                let sum = input.iter().fold(0, |sum: u64, value| sum.wrapping_add(grown(*value)));
                self.log.push(('s', sum));
                self.values.push(sum);
                self.sum = None;
            }
        }
        self.values.iter_mut().for_each(|value| *value /= 2);
        match &mut self.count {
            None => self.count = Some((2, self.values.len())),
            Some((left, _)) if *left > 1 => *left -= 1,
            Some((_, input)) => {
                self.runs += 1;
                self.log.push(('c', self.runs * 1000 + *input as u64));
                self.count = None;
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Tick,
    Want(bool),
    Spawn(u64),
    CancelSum,
    Slow(u64),
    Clone,
    Snapshot,
    Restore,
    Save,
    SaveText,
    FailedRun,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => Just(Step::Tick),
        1 => any::<bool>().prop_map(Step::Want),
        1 => (0..1000_u64).prop_map(Step::Spawn),
        1 => Just(Step::CancelSum),
        1 => (0..300_u64).prop_map(Step::Slow),
        1 => Just(Step::Clone),
        1 => Just(Step::Snapshot),
        1 => Just(Step::Restore),
        1 => Just(Step::Save),
        1 => Just(Step::SaveText),
        1 => Just(Step::FailedRun),
    ]
}

/// A world, and a snapshot to go back to. Loaded worlds do not continue the memory of the skipped
/// resource.
struct Subject {
    game: Game,
    snapshot: Option<Snapshot<Game>>,
    threads: rayon::ThreadPool,
}

impl Subject {
    fn new(parallelism: Parallelism, threads: usize) -> Self {
        let mut game = Game::new(Log::default(), Wanted(true));
        game.set_parallelism(parallelism);
        let threads = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        Self { game, snapshot: None, threads }
    }

    fn apply(&mut self, step: Step) {
        let game = &mut self.game;
        match step {
            Step::Tick => self.threads.install(|| game.tick()),
            Step::Want(wanted) => game.resource_mut::<Wanted>().0 = wanted,
            Step::Spawn(value) => _ = game.spawn(Value(value)),
            Step::CancelSum => _ = game.cancel_background::<sum>(),
            Step::Slow(microseconds) => game.resource_mut::<Slowness>().0 = microseconds,
            Step::Clone => {
                // the clone goes ahead, and takes the outputs of the runs that both have
                let copy = game.clone();
                (0..4).for_each(|_| game.tick());
                *game = copy;
            }
            Step::Snapshot => self.snapshot = Some(game.snapshot()),
            Step::Restore => {
                if let Some(snapshot) = &self.snapshot {
                    game.restore(snapshot);
                }
            }
            Step::Save => *game = Game::load(&game.to_bytes().unwrap()).unwrap(),
            Step::SaveText => *game = serde_json::from_str(&serde_json::to_string(&*game).unwrap()).unwrap(),
            Step::FailedRun => {
                let failed = game.try_run(|game| {
                    (0..4).for_each(|_| game.tick());
                    let fails = game.resource::<Log>().0.len() < 1_000_000;
                    if fails {
                        std::panic::resume_unwind(Box::new("undone"));
                    }
                });
                assert!(failed.is_err());
            }
        }
    }
}

proptest! {
    #![proptest_config(random_cases(60))]

    #[test]
    fn systems_in_the_background_agree_with_a_model(steps in prop::collection::vec(step(), 1..60)) {
        let mut subjects = [
            Subject::new(Parallelism::Never, 1),
            Subject::new(Parallelism::Always, 3),
            Subject::new(Parallelism::Auto, 2),
        ];
        let mut model = Model { values: Vec::new(), log: Vec::new(), wanted: true, sum: None, count: None, runs: 0 };
        let mut saved = None;
        for step in steps {
            match step {
                Step::Tick => model.tick(),
                Step::Want(wanted) => model.wanted = wanted,
                Step::Spawn(value) => model.values.push(value),
                Step::CancelSum => model.sum = None,
                Step::Snapshot => saved = Some(model.clone()),
                Step::Restore => model = saved.clone().unwrap_or(model),
                Step::Slow(_) | Step::Clone | Step::Save | Step::SaveText | Step::FailedRun => {}
            }
            for subject in &mut subjects {
                subject.apply(step);
                let mut values: Vec<u64> = subject.game.query::<&Value>().iter().map(|value| value.0).collect();
                let mut expected = model.values.clone();
                values.sort_unstable();
                expected.sort_unstable();
                prop_assert_eq!(values, expected, "after {:?}", step);
                prop_assert_eq!(&subject.game.resource::<Log>().0, &model.log, "after {:?}", step);
            }
            let hashes = subjects.each_ref().map(|subject| subject.game.hash());
            prop_assert!(hashes.iter().all(|hash| *hash == hashes[0]), "after {:?}: {:?}", step, hashes);
        }
    }
}
