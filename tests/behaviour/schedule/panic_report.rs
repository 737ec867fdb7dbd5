//! The lines on standard error about a panic in a system. They are read from a child process, which
//! runs this test again.

use std::panic::{AssertUnwindSafe, catch_unwind, panic_any, resume_unwind};
use std::process::Command;

use ecs::prelude::*;
use ecs::schedule::Parallelism;

#[derive(Component)]
struct A(#[allow(dead_code)] u32);
#[derive(Resource, Default)]
struct Total(u32);

world! {
    struct Game { components { A } resources { total: Total = Total(0) } }
    schedule plain { counts, booms }
    schedule stages { defers; counts }
    schedule wide { counts, booms_too, booms }
    schedule nested { plain }
    schedule asked { counts if asks }
    schedule whole { takes_all }
    schedule typed { throws }
    schedule typed_nested { typed }
    schedule forged { forges }
    schedule caught { catches }
    schedule caught_typed { catches_typed }
    schedule thread { asks_a_thread }
}

#[system(Game)]
fn counts(mut total: ResMut<Total>) {
    total.0 += 1;
}
#[system(Game)]
fn booms(_all: Query<&mut A>) {
    panic!("boom");
}
#[system(Game)]
fn booms_too(_all: Query<&A>) {
    panic!("boom, too");
}
#[system(Game)]
fn defers(mut commands: Commands<Game>) {
    commands.run(|_| panic!("later"));
}
#[system(Game)]
fn asks() -> bool {
    panic!("no answer");
}
#[system(Game)]
fn takes_all(game: &mut Game) {
    game.plain();
}
#[system(Game)]
fn throws() {
    panic_any(7_u8);
}
/// Panics in the words of a report.
#[system(Game)]
fn forges(_game: &mut Game) {
    panic!("{}", "system `booms` of schedule `plain` of world `Game` panicked: boom");
}
/// Panics after it has caught a panic that was reported.
#[system(Game)]
fn catches(game: &mut Game) {
    assert!(catch_unwind(AssertUnwindSafe(|| game.plain())).is_err());
    panic!("{}", String::from("on its own"));
}
#[system(Game)]
fn catches_typed(game: &mut Game) {
    assert!(catch_unwind(AssertUnwindSafe(|| game.typed())).is_err());
    panic_any("on its own");
}
#[system(Game)]
fn asks_a_thread(game: &mut Game) {
    let done = std::thread::scope(|scope| scope.spawn(|| game.plain()).join());
    done.unwrap_or_else(|payload| resume_unwind(payload));
}

const CASE: &str = "ECS_PANIC_REPORT_CASE";

fn built(game: &mut Game) {
    let mut schedule = Schedule::<Game>::new("built");
    schedule.add_fn(game, "closure", 0, |total: Res<Total>| assert!(total.0 > 0, "in a closure")).unwrap();
    schedule.run(game).unwrap();
}

fn spread(game: &mut Game) {
    game.set_parallelism(Parallelism::Always);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    pool.install(|| game.wide());
}

type Case = (&'static str, fn(&mut Game), &'static [&'static str]);

/// A case: its name, its action, and the lines of standard error that name a system.
const CASES: [Case; 16] = [
    ("plain", |game| game.plain(), &["system `booms` of schedule `plain` of world `Game` panicked: boom"]),
    (
        "timed",
        |game| {
            game.time_systems(true);
            game.plain();
        },
        &["system `booms` of schedule `plain` of world `Game` panicked: boom"],
    ),
    (
        "stages",
        |game| game.stages(),
        &["system `defers` of schedule `stages` of world `Game` panicked: later"],
    ),
    ("spread", spread, &["system `booms_too` of schedule `wide` of world `Game` panicked: boom, too"]),
    ("nested", |game| game.nested(), &["system `booms` of schedule `plain` of world `Game` panicked: boom"]),
    (
        "asked",
        |game| game.asked(),
        &["condition `asks` of system `counts` of schedule `asked` of world `Game` panicked: no answer"],
    ),
    ("whole", |game| game.whole(), &["system `booms` of schedule `plain` of world `Game` panicked: boom"]),
    ("typed", |game| game.typed(), &["system `throws` of schedule `typed` of world `Game` panicked"]),
    (
        "typed_nested",
        |game| game.typed_nested(),
        &["system `throws` of schedule `typed` of world `Game` panicked"],
    ),
    (
        "forged",
        |game| game.forged(),
        &[
            "system `booms` of schedule `plain` of world `Game` panicked: boom", // as in the panic message
            "system `forges` of schedule `forged` of world `Game` panicked: system `booms` of schedule `plain` of world \
             `Game` panicked: boom",
        ],
    ),
    (
        "caught",
        |game| game.caught(),
        &[
            "system `booms` of schedule `plain` of world `Game` panicked: boom",
            "system `catches` of schedule `caught` of world `Game` panicked: on its own",
        ],
    ),
    (
        "caught_typed",
        |game| game.caught_typed(),
        &[
            "system `throws` of schedule `typed` of world `Game` panicked",
            "system `catches_typed` of schedule `caught_typed` of world `Game` panicked: on its own",
        ],
    ),
    ("thread", |game| game.thread(), &["system `booms` of schedule `plain` of world `Game` panicked: boom"]),
    (
        "once_nested",
        |game| game.run::<takes_all>(),
        &["system `booms` of schedule `plain` of world `Game` panicked: boom"],
    ),
    ("built", built, &["system `closure` of schedule `built` of world `Game` panicked: in a closure"]),
    ("once", |game| game.run::<booms>(), &["system `booms` of world `Game`, which was run once, panicked"]),
];

/// Does nothing except in the child process.
#[test]
fn child_of_the_panic_report() {
    let Ok(name) = std::env::var(CASE) else {
        return;
    };
    let (_, run, _) = CASES.iter().find(|(case, ..)| *case == name).unwrap();
    let mut game = Game::new();
    assert!(catch_unwind(AssertUnwindSafe(|| run(&mut game))).is_err());
}

#[test]
fn standard_error_names_the_system_that_panicked_once() {
    for (case, _, expected) in CASES {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--nocapture", "child_of_the_panic_report"])
            .env(CASE, case)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&child.stderr).into_owned();
        assert!(child.status.success(), "{case}: {text}");
        let told = |line: &&str| line.starts_with("system `") || line.starts_with("condition `");
        assert_eq!(text.lines().filter(told).collect::<Vec<_>>(), expected, "{case}: {text}");
        // the hook's own lines come before
        let hook = text.find("panicked at").expect("the hook has spoken");
        assert!(hook < text.find("of world `Game`").unwrap(), "{case}: {text}");
    }
}
