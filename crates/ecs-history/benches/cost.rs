//! The cost of a history of 600 runs of 100,000 entities, of which 10 % change in each run: the
//! time of a run beside that of a run without a history, the memory beside the pages that have
//! changed, and the time of the questions. It prints the table of the guide's chapter on histories:
//! `cargo bench -p checked-ecs-history`, on Linux.
//!
//! The entities that move are adjacent, as those that were spawned together, or every tenth one, so
//! that each page of positions changes in each run.

#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]

use std::process::Command;
use std::time::Instant;

use ecs::prelude::*;
use ecs_history::{History, Limit};

const ENTITIES: u32 = 100_000;
const RUNS: usize = 600;
/// The number of histories, each of which takes turns with as many runs without one.
const ROUNDS: usize = 7;

#[derive(Component, Clone, PartialEq)]
struct Position([f32; 3]);
#[derive(Component, Clone)]
struct Velocity([f32; 3]);
#[derive(Component, Clone, PartialEq)]
struct Health(u32);
#[derive(Resource, Clone, Default)]
struct Seen {
    count: u32,
    nearest: f32,
}

world! {
    #[derive(Clone)]
    struct Game {
        components { Position, Velocity, Health }
        resources { Seen }
    }
    schedule tick { movement; look }
}

/// Moves a tenth of the entities.
#[system(Game)]
fn movement(position: &mut Position, velocity: &mut Velocity) {
    for (at, by) in position.0.iter_mut().zip(&mut velocity.0) {
        *at += *by * 0.125;
        if at.abs() > 100.0 {
            *by = -*by;
        }
    }
}

/// Looks at all entities.
#[system(Game)]
fn look(bodies: Query<(&Position, &Health)>, mut seen: ResMut<Seen>) {
    let (mut count, mut nearest) = (0, f32::MAX);
    for (position, health) in &bodies {
        let distance = position.0.iter().map(|x| x * x).sum::<f32>();
        nearest = nearest.min(distance);
        count += u32::from(distance < 400.0 && health.0 > 3);
    }
    (seen.count, seen.nearest) = (count, nearest);
}

fn game(moves: impl Fn(usize) -> bool) -> Game {
    let mut game = Game::new(Seen::default());
    let body = |n| {
        let x = (n % 199) as f32 - 99.0;
        (Position([x, -x, x / 2.0]), Health(n % 7))
    };
    let ids: Vec<Entity> = game.spawn_batch((0..ENTITIES).map(body)).collect();
    for (n, id) in ids.into_iter().enumerate().filter(|(n, _)| moves(*n)) {
        game.insert(id, Velocity([1.0, 0.5, n as f32 / 1e5])).expect("it lives");
    }
    game
}

/// The time of each of some calls, in seconds.
fn times(calls: usize, mut call: impl FnMut()) -> Vec<f64> {
    let time = |_| {
        let start = Instant::now();
        call();
        start.elapsed().as_secs_f64()
    };
    (0..calls).map(time).collect()
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}

/// The memory of this process, in bytes.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/statm").expect("the system is Linux");
    status.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("a number of pages") * 4096
}

/// The number of page faults of this process.
fn page_faults() -> f64 {
    let status = std::fs::read_to_string("/proc/self/stat").expect("the system is Linux");
    // behind the name, which may have spaces
    let fields = status.rsplit(") ").next().expect("fields behind the name");
    fields.split(' ').nth(7).and_then(|faults| faults.parse().ok()).expect("a number of page faults")
}

/// The rows of the table: a name with the goal, and the digits that are shown.
const ROWS: [(&str, usize); 9] = [
    ("a run without a history, µs", 0),
    ("a run while the history grows, beside it", 2),
    ("the same after `reserve`; at most 1.25", 2),
    ("a run that forgets another one, beside it; at most 1.25", 2),
    ("memory beside the changed pages; at most 1.20", 2),
    ("the changed pages beside the changed values", 2),
    ("`go_to` 300 runs back, ms; at most 5", 2),
    ("`last_change` of a value that does not change, ms; at most 50", 2),
    ("page faults in a run while the history grows", 0),
];

/// The times of runs without and with a history, which take turns, so that both meet the same noise.
fn runs(plain: &mut Game, kept: &mut Game, history: &mut History<Game>) -> (f64, f64) {
    let (mut without, mut with) = (Vec::new(), Vec::new());
    for _ in 0..RUNS / 10 {
        without.extend(times(10, || plain.tick()));
        with.extend(times(10, || history.run(kept, Game::tick)));
    }
    (median(without), median(with))
}

/// The figures of the rows, of one history without `reserve` or with it, in a process that has no
/// memory to use again.
fn figures(moves: fn(usize) -> bool, reserve: bool) -> [f64; ROWS.len()] {
    let (mut plain, mut kept) = (game(moves), game(moves));
    let still = kept.query::<Entity>().iter().last().expect("there are entities");
    plain.tick();
    let mut history = History::new(Limit::runs(RUNS));
    history.run(&mut kept, Game::tick);
    if reserve {
        history.reserve(1_000_000_000);
    }
    let (memory, pages, faults) = (resident(), history.bytes(), page_faults());
    let (without, with) = runs(&mut plain, &mut kept, &mut history);
    let faults = (page_faults() - faults) / RUNS as f64;
    let (memory, pages) = ((resident() - memory) as f64, (history.bytes() - pages) as f64);
    let values = RUNS * (ENTITIES as usize / 10) * (size_of::<Position>() + size_of::<Velocity>());
    let (beside_full, full) = runs(&mut plain, &mut kept, &mut history);
    let last = median(times(1, || assert!(history.last_change::<Health>(&kept, still).is_none())));
    let to = history.position() - RUNS as u64 / 2;
    let back = median(times(1, || history.go_to(&mut kept, to).expect("the history has the run")));
    let growing = [with / without, f64::NAN];
    let [without_reserve, with_reserve] = if reserve { [growing[1], growing[0]] } else { growing };
    [
        without * 1e6,
        without_reserve,
        with_reserve,
        full / beside_full,
        memory / pages,
        pages / values as f64,
        back * 1e3,
        last * 1e3,
        faults,
    ]
}

type Case = (&'static str, fn(usize) -> bool);
const CASES: [Case; 2] =
    [("adjacent", |n| n < ENTITIES as usize / 10), ("every tenth", |n| n.is_multiple_of(10))];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    // one history, in a process of its own
    if let Some((_, moves)) = CASES.iter().find(|(name, _)| arguments.get(1).is_some_and(|a| a == name)) {
        let figures = figures(*moves, arguments.get(2).is_some_and(|word| word == "reserve"));
        return println!("{}", figures.map(|figure| figure.to_string()).join(" "));
    }
    let one = |name: &str, reserve: &[&str]| -> Vec<f64> {
        let output = Command::new(&arguments[0]).arg(name).args(reserve).output();
        let text = String::from_utf8(output.expect("this program runs").stdout).expect("figures are text");
        text.split_whitespace().map(|figure| figure.parse().expect("a figure")).collect()
    };
    let mut columns = Vec::new();
    for (name, _) in CASES {
        let rounds: Vec<[Vec<f64>; 2]> =
            (0..ROUNDS).map(|_| [one(name, &[]), one(name, &["reserve"])]).collect();
        columns.push((0..ROWS.len()).map(move |row| {
            let with_reserve = usize::from(row == 2);
            rounds.iter().map(|round| round[with_reserve][row]).collect::<Vec<f64>>()
        }));
    }
    println!("| | {} |", CASES.map(|(name, _)| name).join(" | "));
    println!("|---|{}", "---:|".repeat(CASES.len()));
    for (row, digits) in ROWS {
        print!("| {row} |");
        for column in &mut columns {
            let all = column.next().expect("a figure for each row");
            let (least, most) =
                (all.iter().copied().fold(f64::MAX, f64::min), all.iter().copied().fold(0.0, f64::max));
            print!(" {:.digits$} ({least:.digits$} to {most:.digits$}) |", median(all));
        }
        println!();
    }
}
