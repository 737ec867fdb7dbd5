//! Single systems of a schedule, by name: stepping through a schedule of `world!`, and callbacks
//! and other executors of a schedule that is built at run time. The reference is a run of the whole
//! schedule, and random calls are compared with a plain count.

use ecs::prelude::*;
use ecs_tests::fuse::panic_message;
use ecs_tests::random::random_cases;
use proptest::prelude::*;

#[derive(Component, Clone, PartialEq, Debug)]
struct Age(u32);
#[derive(Event, Clone)]
struct Born(u32);
#[derive(Resource, Default, Clone, PartialEq, Debug)]
struct Log(Vec<(&'static str, u32)>);
#[derive(Resource, Clone, Debug)]
struct Awake(bool);

world! {
    #[derive(Clone)]
    struct Game {
        components { Age }
        resources { Log, Awake = Awake(true) }
        events { Born }
    }
    schedule tick { (bear; greet) if awake; age every 2; age as again if awake; fail; }
    schedule inner { nested }
}

#[system(Game)]
fn awake(awake: Res<Awake>) -> bool {
    awake.0
}

#[system(Game)]
fn bear(mut runs: Local<u32>, mut born: EventWriter<Born>, mut commands: Commands<Game>) {
    *runs += 1;
    commands.spawn(Age(*runs));
    born.send(Born(*runs));
}

#[system(Game)]
fn greet(mut born: EventReader<Born>, mut log: ResMut<Log>) {
    log.0.extend(born.iter().map(|born| ("greet", born.0)));
}

#[system(Game)]
fn age(age: &mut Age, mut log: ResMut<Log>) {
    age.0 += 10;
    log.0.push(("age", age.0));
}

#[system(Game)]
fn fail(mut runs: Local<u32>, mut log: ResMut<Log>) {
    *runs += 1;
    log.0.push(("fail", *runs));
    assert!(*runs != 3, "the third run");
}

#[system(Game)]
fn nested(game: &mut Game) {
    game.run_named("inner", "nested").unwrap();
}

#[system(Game)]
fn refuse(mut runs: Local<u32>) -> Result<(), String> {
    *runs += 1;
    if *runs == 2 { Err("the second call".into()) } else { Ok(()) }
}

const STEPS: [&str; 5] = ["bear", "greet", "age", "again", "fail"];

fn panics(f: impl FnOnce()) -> bool {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(f)).is_err()
}

#[test]
fn stepping_through_a_schedule_is_a_run_of_it() {
    let (mut whole, mut stepped) = (Game::default(), Game::default());
    for run in 0..7 {
        for game in [&mut whole, &mut stepped] {
            game.resource_mut::<Awake>().0 = run % 3 != 1;
            game.enable_named("again", run != 4);
        }
        let failed = panics(|| whole.tick());
        for step in STEPS {
            let blows = panics(|| assert!(stepped.run_named("tick", step).unwrap()));
            assert_eq!(blows, failed && step == "fail", "{step} of run {run}");
        }
        assert_eq!(failed, run == 2);
        assert_eq!(whole.resource::<Log>(), stepped.resource::<Log>(), "run {run}");
        assert!(whole.query::<&Age>().iter().eq(stepped.query::<&Age>().iter()));
    }
}

#[test]
fn an_unknown_name_is_no_system_and_a_running_schedule_is_not_stepped() {
    let mut game = Game::default();
    assert!(!game.run_named("tick", "nobody").unwrap() && !game.run_named("nothing", "age").unwrap());
    assert!(game.resource::<Log>().0.is_empty());
    let text = panic_message(|| game.inner());
    assert!(text.contains("`inner`"), "{text}");
}

proptest! {
    #![proptest_config(random_cases(100))]

    /// Calls of single systems and runs of all of them, in a run-time schedule: each system counts
    /// its own calls, failed calls do not end later ones, and a clone goes on from the same counts.
    #[test]
    fn callbacks_keep_their_locals(calls in prop::collection::vec(0..5_u8, 1..60), cut in 0..60_usize) {
        let mut game = Game::default();
        let mut callbacks = Schedule::<Game>::new("callbacks");
        callbacks.add::<refuse>(&mut game, 3).unwrap();
        callbacks.add::<bear>(&mut game, 1).unwrap();
        callbacks.add::<greet>(&mut game, 2).unwrap();
        let (mut born, mut refused, mut greeted) = (0, 0, Vec::new());
        for (number, call) in calls.into_iter().enumerate() {
            if number == cut {
                (game, callbacks) = (game.clone(), callbacks.clone());
            }
            match call {
                0 => assert!(callbacks.run_named(&mut game, "bear").unwrap()),
                1 => assert!(callbacks.run_named(&mut game, "greet").unwrap()),
                2 => _ = callbacks.run_named(&mut game, "refuse"),
                3 => assert!(!callbacks.run_named(&mut game, "nobody").unwrap()),
                _ => _ = callbacks.run(&mut game),
            }
            let all = call == 4;
            born += u32::from(all || call == 0);
            refused += u32::from(all || call == 2);
            if all || call == 1 {
                greeted.extend(greeted.len() as u32..born);
            }
            let log: Vec<u32> = game.resource::<Log>().0.iter().map(|(_, age)| age - 1).collect();
            prop_assert_eq!(&log, &greeted);
            prop_assert_eq!(game.query::<&Age>().len(), born as usize);
        }
        let last = callbacks.run_named(&mut game, "refuse").is_err();
        prop_assert_eq!(last, refused == 1);
    }
}
