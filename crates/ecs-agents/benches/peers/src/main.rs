//! `cargo run --release` in this folder: models of `examples/models` beside the same models on
//! bevy_ecs and on krABMaga, as a table in Markdown. `-- --mesa PYTHON` adds those of mesa, which
//! `mesa.py` has, with the interpreter of an environment that has mesa, and `-- --curves FILE.svg`
//! draws the sheep and the wolves of all. Other arguments are parts of the names of models to run.
//!
//! Each figure is the median of 15 seeds by turns, and of three for mesa after them, of the
//! processor time of a run with its setup, in milliseconds; in parentheses, the ratio of the least
//! times. All have the same random numbers and, where nobody is born, the
//! same end, bit for bit, which is asserted; of wolf-sheep and of mesa's models, the means over the
//! seeds are compared.

#![allow(elided_lifetimes_in_paths, missing_docs, reason = "a program")]

#[path = "../../../tests/arrays/mod.rs"]
#[allow(dead_code, unreachable_pub, reason = "tests share it")]
mod arrays;
mod bevy;
mod curves;
mod krabmaga;
mod mesa;
#[path = "../../../examples/models/mod.rs"]
#[allow(dead_code, unreachable_pub, reason = "examples share it")]
mod models;
mod ours;

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

pub(crate) use models::{flocking, sir, sugarscape, wolf_sheep};

const SEEDS: u64 = 15;

/// The end of a run: numbers that are equal if the runs are.
type End = Vec<u64>;

/// A run of a model from a seed.
type Run<'a> = &'a dyn Fn(u64) -> End;

/// Called with the numbers of sheep and of wolves after each step.
type Each<'a> = &'a mut dyn FnMut([usize; 2]);

/// A model of a size.
struct Row<'a> {
    name: &'a str,
    /// Whether the ends of one seed are equal.
    is_same: bool,
    /// The figure of an end that is compared by its mean over the seeds.
    figure: fn(&End) -> f64,
    ours: Run<'a>,
    bevy: Run<'a>,
    krabmaga: Option<Run<'a>>,
}

/// The time of the processor that this thread has used.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The figures of the runs of several seeds, and their times in milliseconds.
#[derive(Default)]
struct Sample {
    times: Vec<f64>,
    figures: Vec<f64>,
}

impl Sample {
    fn run(&mut self, row: &Row, run: Run, seed: u64) -> End {
        let start = now();
        let end = run(seed);
        self.times.push((now() - start).as_secs_f64() * 1e3);
        self.figures.push((row.figure)(&end));
        end
    }

    fn median(&self) -> f64 {
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }

    fn least(&self) -> f64 {
        self.times.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// The mean of the figures, and its standard error.
    fn mean(&self) -> (f64, f64) {
        let number = self.figures.len() as f64;
        let mean = self.figures.iter().sum::<f64>() / number;
        let squares: f64 = self.figures.iter().map(|figure| (figure - mean) * (figure - mean)).sum();
        (mean, (squares / (number - 1.0) / number).sqrt())
    }

    /// The cell of a table: the median, and the ratio of the least times.
    fn cell(&self, ours: &Self) -> String {
        let (median, ratio) = (self.median(), self.least() / ours.least());
        let digits = |number: f64| usize::from(number < 100.0) + usize::from(number < 10.0);
        format!("{median:.*} ({ratio:.*}) |", digits(median), digits(ratio))
    }
}

/// Asserts that the means of two samples are equal within five standard errors and a hundredth.
fn assert_agree(name: &str, peer: &str, a: &Sample, b: &Sample) {
    let ((a, error), (b, other)) = (a.mean(), b.mean());
    let most = 5.0 * error.hypot(other) + 0.01 * a.abs();
    assert!((a - b).abs() <= most, "{name}: {a} ± {error}, and {b} ± {other} on {peer}");
    eprintln!("{name}: {a:.1} ± {error:.1}, and {b:.1} ± {other:.1} on {peer}");
}

impl Row<'_> {
    fn print(&self, arguments: &Arguments) {
        let Self { name, is_same, ours, bevy, .. } = *self;
        if !arguments.wants(name) {
            return;
        }
        let (mut own, mut peers) = (Sample::default(), [Sample::default(), Sample::default()]);
        let runs = [Some(bevy), self.krabmaga];
        for seed in 0..SEEDS {
            let end = own.run(self, ours, seed);
            for (run, peer) in runs.into_iter().zip(&mut peers) {
                let other = run.map(|run| peer.run(self, run, seed));
                let agree = !is_same || other.is_none_or(|other| other == end);
                assert!(agree, "{name}: seed {seed} has two ends");
            }
        }
        let mut line = format!("| {name} | {:.2} |", own.median());
        for (peer, of) in peers.iter().zip(["bevy_ecs", "krABMaga"]) {
            if !peer.times.is_empty() {
                assert_agree(name, of, &own, peer);
            }
            line += &if peer.times.is_empty() { " |".into() } else { format!(" {}", peer.cell(&own)) };
        }
        if let Some(python) = &arguments.mesa {
            let mesa = mesa::run(python, name);
            line += &mesa.as_ref().map_or_else(|| " |".into(), |mesa| format!(" {}", mesa.cell(&own)));
            if let Some(mesa) = mesa.filter(|mesa| mesa.figures.iter().all(|figure| figure.is_finite())) {
                assert_agree(name, "mesa", &own, &mesa);
            }
        } else {
            line += " |";
        }
        println!("{line}");
    }
}

#[derive(Default)]
struct Arguments {
    mesa: Option<String>,
    curves: Option<String>,
    names: Vec<String>,
}

impl Arguments {
    fn read() -> Self {
        let (mut read, mut arguments) = (Self::default(), std::env::args().skip(1));
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--mesa" => read.mesa = arguments.next(),
                "--curves" => read.curves = arguments.next(),
                name => read.names.push(name.to_lowercase()),
            }
        }
        read
    }

    fn wants(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|wanted| name.to_lowercase().contains(wanted))
    }
}

fn count(end: &End, wanted: u64) -> f64 {
    end.iter().filter(|&&number| number == wanted).count() as f64
}

fn sum(end: &End) -> f64 {
    end.iter().map(|&number| number as f64).sum()
}

fn main() {
    let arguments = &Arguments::read();
    if let Some(path) = &arguments.curves {
        return curves::draw(path, arguments.mesa.as_deref());
    }
    println!("| model | checked-ecs, ms | bevy_ecs | krABMaga | mesa |\n|---|---:|---:|---:|---:|");
    for (name, width, agents) in [("Schelling small", 40, 1000), ("Schelling large", 100, 8000)] {
        let figure = |_: &End| 0.0;
        let ours = &|seed| ours::schelling(seed, width, agents);
        let bevy = &|seed| bevy::schelling::schelling(seed, width, agents, 3, 20);
        Row { name, is_same: true, figure, ours, bevy, krabmaga: None }.print(arguments);
    }
    for (name, birds, size, sight, apart) in
        [("flocking small", 200, 100.0, 5.0, 1.0), ("flocking large", 400, 150.0, 15.0, 5.0)]
    {
        let (sky, figure) = (flocking::Sky { size, sight, apart }, |_: &End| 0.0);
        let ours = &|seed| ours::flocking(seed, birds, sky);
        let bevy = &|seed| bevy::flocking::flocking(seed, birds, sky, 100);
        Row { name, is_same: true, figure, ours, bevy, krabmaga: None }.print(arguments);
    }
    for (name, width, numbers, rules) in ours::MEADOWS {
        let ours = &|seed| ours::wolf_sheep(seed, width, numbers, rules, |_| ());
        let animals = |run: &dyn Fn(Each)| {
            let mut all = 0;
            run(&mut |numbers| all += numbers[0] + numbers[1]);
            vec![all as u64]
        };
        // the animals after each step but the last one, since those of one step vary much
        let bevy =
            &|seed| animals(&|each| bevy::wolf_sheep::wolf_sheep(seed, width, numbers, rules, 100, each));
        let krabmaga = &|seed| animals(&|each| krabmaga::wolf_sheep(seed, width, numbers, rules, 100, each));
        let (is_same, krabmaga) = (false, Some(krabmaga as Run));
        Row { name, is_same, figure: sum, ours, bevy, krabmaga }.print(arguments);
    }
    for (name, width, agents) in [("Sugarscape small", 50, 400), ("Sugarscape large", 200, 6400)] {
        let ours = &|seed| ours::sugarscape(seed, width, agents);
        let bevy = &|seed| bevy::sugarscape::sugarscape(seed, width, agents, 100);
        Row { name, is_same: true, figure: sum, ours, bevy, krabmaga: None }.print(arguments);
    }
    for (name, number) in [("SIR small", 1000), ("SIR large", 100_000)] {
        let rules = sir::Rules { infection: 0.05, recovery: 0.05 };
        let ours = &|seed| ours::sir(seed, number, rules);
        let bevy = &|seed| bevy::sir::sir(seed, number, rules, 100);
        let recovered = |end: &End| count(end, 2);
        Row { name, is_same: true, figure: recovered, ours, bevy, krabmaga: None }.print(arguments);
    }
    for (name, width, density) in [("fire small", 100, 0.7), ("fire large", 500, 0.9)] {
        let ours = &|seed| ours::fire(seed, width, density);
        let bevy = &|seed| bevy::layers::fire(seed, width, density, 100);
        let krabmaga = &|seed| krabmaga::fire(seed, width, density, 100);
        let (ash, krabmaga) = (|end: &End| count(end, 3), Some(krabmaga as Run));
        Row { name, is_same: true, figure: ash, ours, bevy, krabmaga }.print(arguments);
    }
    for (name, width) in [("life small", 100), ("life large", 500)] {
        let ours = &|seed| ours::life(seed, width);
        let bevy = &|seed| bevy::layers::life(seed, width, 100);
        Row { name, is_same: true, figure: sum, ours, bevy, krabmaga: None }.print(arguments);
    }
}
