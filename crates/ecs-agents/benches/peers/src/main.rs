//! `cargo run --release` in this folder: models of `examples/models` beside the same models on
//! bevy_ecs, krABMaga, syren and henad, as a table in Markdown. `-- --mesa PYTHON` adds those of
//! mesa, which `mesa.py` has, with the interpreter of an environment that has mesa, and `-- --curves
//! FILE.svg` draws the sheep and the wolves of all but syren; `-- --threads` compares the ends of
//! syren and of henad on several threads. Other arguments are parts of the names of models to run.
//!
//! Each figure is the median of 15 seeds by turns, and of three for mesa after them, of the
//! processor time of a run with its setup, in milliseconds; in parentheses, the ratio of the least
//! times. Most have the same random numbers and, where nobody is born, the
//! same end, bit for bit, which is asserted; of the others, and of mesa's models, the means over the
//! seeds are compared. What syren and henad would do on several threads, this one does alone.

#![allow(elided_lifetimes_in_paths, missing_docs, reason = "a program")]

#[path = "../../../tests/arrays/mod.rs"]
#[allow(dead_code, unreachable_pub, reason = "tests share it")]
mod arrays;
mod bevy;
mod curves;
mod henad;
mod krabmaga;
mod mesa;
#[path = "../../../examples/models/mod.rs"]
#[allow(dead_code, unreachable_pub, reason = "examples share it")]
mod models;
mod ours;
mod syren;

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

/// A peer's run of a model.
#[derive(Clone, Copy)]
enum Peer<'a> {
    /// It has not the model.
    Missing,
    /// It ends as ours from the same seed.
    Same(Run<'a>),
    /// It ends as ours in the mean over the seeds.
    Alike(Run<'a>),
}

/// The names of the peers, in the order of their columns.
const PEERS: [&str; 4] = ["bevy_ecs", "krABMaga", "syren", "henad"];

/// A model of a size.
struct Row<'a> {
    name: &'a str,
    /// The figure of an end that is compared by its mean over the seeds.
    figure: fn(&End) -> f64,
    ours: Run<'a>,
    peers: [Peer<'a>; 4],
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
        let Self { name, ours, peers, .. } = *self;
        if !arguments.wants(name) {
            return;
        }
        let (mut own, mut samples) = (Sample::default(), PEERS.map(|_| Sample::default()));
        for seed in 0..SEEDS {
            let end = own.run(self, ours, seed);
            for ((peer, sample), of) in peers.into_iter().zip(&mut samples).zip(PEERS) {
                match peer {
                    Peer::Missing => (),
                    Peer::Alike(run) => drop(sample.run(self, run, seed)),
                    Peer::Same(run) => {
                        let is_same = sample.run(self, run, seed) == end;
                        assert!(is_same, "{name}: seed {seed} ends otherwise on {of}");
                    }
                }
            }
        }
        let mut line = format!("| {name} | {:.2} |", own.median());
        for (peer, of) in samples.iter().zip(PEERS) {
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
    threads: bool,
    names: Vec<String>,
}

impl Arguments {
    fn read() -> Self {
        let (mut read, mut arguments) = (Self::default(), std::env::args().skip(1));
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--mesa" => read.mesa = arguments.next(),
                "--curves" => read.curves = arguments.next(),
                "--threads" => read.threads = true,
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

/// The order of a flock, whose directions are x and y by turns: the length of their mean.
fn order(end: &End) -> f64 {
    let directions = end.chunks(2).map(|parts| [parts[0], parts[1]].map(f64::from_bits));
    let [x, y] = directions.fold([0.0; 2], |[x, y], [dx, dy]| [x + dx, y + dy]);
    (x * x + y * y).sqrt() / (end.len() / 2) as f64
}

/// Prints whether the ends of models on syren and on henad depend on the number of threads.
fn compare_threads() {
    const SKY: flocking::Sky = flocking::Sky { size: 1000.0, sight: 5.0, apart: 1.0 };
    const RULES: sir::Rules = sir::Rules { infection: 0.05, recovery: 0.05 };
    let runs: [(&str, fn(u64) -> End); 3] = [
        ("flocking at once on syren", |seed| syren::flocking_at_once(seed, 20_000, SKY, 20)),
        ("flocking at once on henad", |seed| henad::flocking_at_once(seed, 20_000, SKY, 20)),
        ("SIR on henad", |seed| henad::sir(seed, 20_000, RULES, 20)),
    ];
    for (name, run) in runs {
        let end = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            pool.install(|| run(1))
        };
        let one = end(1);
        let others =
            [1, 2, 4, 8].map(|threads| (threads, if end(threads) == one { "same" } else { "other" }));
        println!("{name}, the end on so many threads beside that on one: {others:?}");
    }
}

fn main() {
    let arguments = &Arguments::read();
    // syren and henad run on the pool of rayon, which is this thread
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .use_current_thread()
        .build_global()
        .expect("the first pool");
    if let Some(path) = &arguments.curves {
        return curves::draw(path, arguments.mesa.as_deref());
    }
    if arguments.threads {
        return compare_threads();
    }
    println!("| model | checked-ecs, ms | {} | mesa |\n|---|{}", PEERS.join(" | "), "---:|".repeat(6));
    let (nothing, missing) = (|_: &End| 0.0, Peer::Missing);
    for (name, width, agents) in [("Schelling small", 40, 1000), ("Schelling large", 100, 8000)] {
        let ours = &|seed| ours::schelling(seed, width, agents);
        let bevy = Peer::Same(&|seed| bevy::schelling::schelling(seed, width, agents, 3, 20));
        let syren = Peer::Same(&|seed| syren::schelling(seed, width, agents, 3, 20));
        Row { name, figure: nothing, ours, peers: [bevy, missing, syren, missing] }.print(arguments);
    }
    let skies = [("small", 200, 100.0, 5.0, 1.0), ("large", 400, 150.0, 15.0, 5.0)]
        .map(|(of, birds, size, sight, apart)| (of, birds, flocking::Sky { size, sight, apart }));
    for (of, birds, sky) in skies {
        let name = &format!("flocking {of}");
        let ours = &|seed| ours::flocking(seed, birds, sky);
        let bevy = Peer::Same(&|seed| bevy::flocking::flocking(seed, birds, sky, 100));
        let syren = Peer::Same(&|seed| syren::flocking(seed, birds, sky, 100));
        Row { name, figure: nothing, ours, peers: [bevy, missing, syren, missing] }.print(arguments);
    }
    for (of, birds, sky) in skies {
        let name = &format!("flocking at once {of}");
        let ours = &|seed| ours::flocking_at_once(seed, birds, sky);
        let syren = Peer::Alike(&|seed| syren::flocking_at_once(seed, birds, sky, 100));
        let henad = Peer::Alike(&|seed| henad::flocking_at_once(seed, birds, sky, 100));
        Row { name, figure: order, ours, peers: [missing, missing, syren, henad] }.print(arguments);
    }
    for (name, width, numbers, rules) in ours::MEADOWS {
        let ours = &|seed| ours::wolf_sheep(seed, width, numbers, rules, |_| ());
        let animals = |run: &dyn Fn(Each)| {
            let mut all = 0;
            run(&mut |numbers| all += numbers[0] + numbers[1]);
            vec![all as u64]
        };
        // the animals after each step but the last one, since those of one step vary much
        let bevy = Peer::Alike(&|seed| {
            animals(&|each| bevy::wolf_sheep::wolf_sheep(seed, width, numbers, rules, 100, each))
        });
        let krabmaga = Peer::Alike(&|seed| {
            animals(&|each| krabmaga::wolf_sheep(seed, width, numbers, rules, 100, each))
        });
        let syren =
            Peer::Alike(&|seed| animals(&|each| syren::wolf_sheep(seed, width, numbers, rules, 100, each)));
        Row { name, figure: sum, ours, peers: [bevy, krabmaga, syren, missing] }.print(arguments);
    }
    for (name, width, agents) in [("Sugarscape small", 50, 400), ("Sugarscape large", 200, 6400)] {
        let ours = &|seed| ours::sugarscape(seed, width, agents);
        let bevy = Peer::Same(&|seed| bevy::sugarscape::sugarscape(seed, width, agents, 100));
        let syren = Peer::Same(&|seed| syren::sugarscape(seed, width, agents, 100));
        Row { name, figure: sum, ours, peers: [bevy, missing, syren, missing] }.print(arguments);
    }
    for (name, number) in [("SIR small", 1000), ("SIR large", 100_000)] {
        let rules = sir::Rules { infection: 0.05, recovery: 0.05 };
        let ours = &|seed| ours::sir(seed, number, rules);
        let bevy = Peer::Same(&|seed| bevy::sir::sir(seed, number, rules, 100));
        let syren = Peer::Same(&|seed| syren::sir(seed, number, rules, 100));
        let henad = Peer::Alike(&|seed| henad::sir(seed, number, rules, 100));
        let recovered = |end: &End| count(end, 2);
        Row { name, figure: recovered, ours, peers: [bevy, missing, syren, henad] }.print(arguments);
    }
    for (name, width, density) in [("fire small", 100, 0.7), ("fire large", 500, 0.9)] {
        let ours = &|seed| ours::fire(seed, width, density);
        let bevy = Peer::Same(&|seed| bevy::layers::fire(seed, width, density, 100));
        let krabmaga = Peer::Same(&|seed| krabmaga::fire(seed, width, density, 100));
        let syren = Peer::Same(&|seed| syren::fire(seed, width, density, 100));
        let henad = Peer::Same(&|seed| henad::fire(seed, width, density, 100));
        let ash = |end: &End| count(end, 3);
        Row { name, figure: ash, ours, peers: [bevy, krabmaga, syren, henad] }.print(arguments);
    }
    for (name, width) in [("life small", 100), ("life large", 500)] {
        let ours = &|seed| ours::life(seed, width);
        let bevy = Peer::Same(&|seed| bevy::layers::life(seed, width, 100));
        let syren = Peer::Same(&|seed| syren::life(seed, width, 100));
        let henad = Peer::Same(&|seed| henad::life(seed, width, 100));
        Row { name, figure: sum, ours, peers: [bevy, missing, syren, henad] }.print(arguments);
    }
}
