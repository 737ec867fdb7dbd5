//! `cargo bench -p checked-ecs-agents`: the models of `examples/models` beside the same models on
//! arrays, as a table in Markdown. With names, `-- sir flocking`, only the models of these names.
//! SIR needs the feature `network`.
//!
//! Each run is that of a seed, with its setup and all steps, and its time is that of the processor.
//! Runs of a world and of arrays alternate. Both end in the same state, which is asserted, except
//! in wolf-sheep, whose animals have another order: there, the numbers of animals are compared.

#![allow(missing_docs, elided_lifetimes_in_paths, reason = "a program")]

use std::cell::Cell;
use std::hint::black_box;
use std::time::Duration;

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_agents::prelude::{Cell as At, Grid, Layer, SingleCell};
use rustix::time::{ClockId, clock_gettime};

#[path = "../tests/arrays/mod.rs"]
#[allow(unreachable_pub, dead_code, reason = "tests share them")]
mod arrays;
#[path = "../examples/models/mod.rs"]
#[allow(unreachable_pub, dead_code, reason = "examples share them")]
mod models;

/// The state at the end of a run, as numbers.
type End = Vec<u64>;

/// The time of the processor that this thread has used.
fn now() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

struct Bench {
    /// Parts of names; all models if there are none.
    wanted: Vec<String>,
    rounds: u64,
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// The result of a run that is the same for a world and for arrays.
enum Same {
    Bits,
    Sum,
}

impl Bench {
    /// A row: each function runs a seed, and returns its time and its end.
    fn row(
        &self,
        name: &str,
        same: Same,
        world: impl Fn(u64) -> (Duration, End),
        arrays: impl Fn(u64) -> (Duration, End),
    ) {
        if !self.wanted.is_empty() && !self.wanted.iter().any(|wanted| name.to_lowercase().contains(wanted)) {
            return;
        }
        let (mut times, mut sums) = ([Vec::new(), Vec::new()], [0, 0]);
        for seed in 0..self.rounds {
            let ((a, end_a), (b, end_b)) = if seed % 2 == 0 {
                let world = world(seed);
                (world, arrays(seed))
            } else {
                let arrays = arrays(seed);
                (world(seed), arrays)
            };
            if let Same::Bits = same {
                assert!(end_a == end_b, "{name}: seed {seed} has two ends");
            }
            sums[0] += end_a.iter().sum::<u64>();
            sums[1] += end_b.iter().sum::<u64>();
            times[0].push(a.as_secs_f64() * 1e3);
            times[1].push(b.as_secs_f64() * 1e3);
        }
        if let Same::Sum = same {
            let part = sums[0] as f64 / sums[1] as f64;
            assert!((0.9..1.1).contains(&part), "{name}: {sums:?} animals in all steps");
            eprintln!("{name}: {part:.3} times as many animals in all steps");
        }
        let least = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
        let leasts = least(&times[0]) / least(&times[1]);
        let [world, arrays] = times.map(median);
        println!("| {name} | {world:.2} | {arrays:.2} | {:.2} | {leasts:.2} |", world / arrays);
    }
}

/// Runs a model: makes it, calls `step` so many times, and reads the end outside of the time.
fn timed<M>(
    new: impl Fn() -> M,
    step: impl Fn(&mut M),
    steps: u32,
    end: impl Fn(&M) -> End,
) -> (Duration, End) {
    let start = now();
    let mut model = new();
    for _ in 0..steps {
        step(&mut model);
    }
    let time = now() - start;
    (time, end(black_box(&model)))
}

/// A world that stays on this thread.
fn alone<W: World>(mut world: W) -> W {
    world.set_parallelism(Parallelism::Never);
    world
}

fn wolf_sheep(bench: &Bench) {
    use models::wolf_sheep::{Energy, Kind, Meadow, Rules, meadow};
    for (name, width, numbers, meals, births, regrowth) in [
        ("wolf-sheep small", 25, [60, 40], [5, 13], [0.2, 0.1], 20),
        ("wolf-sheep large", 100, [1000, 500], [5, 30], [0.4, 0.2], 10),
    ] {
        let kind = |i: usize| Kind { meal: meals[i], birth: births[i] };
        let rules = Rules { sheep: kind(0), wolf: kind(1), regrowth };
        let kinds = [0, 1].map(|i| arrays::wolf_sheep::Kind { meal: meals[i], birth: births[i] });
        let world = |seed| alone(meadow(seed, Grid::torus(width, width), numbers, rules));
        let array = |seed| arrays::wolf_sheep::meadow(seed, width as usize, numbers, kinds, regrowth);
        // the animals of all steps, since those of one step are very different for other seeds
        bench.row(
            name,
            Same::Sum,
            |seed| {
                let animals = Cell::new(0);
                let step = |meadow: &mut Meadow| {
                    meadow.step();
                    animals.update(|sum| sum + meadow.query::<&Energy>().len() as u64);
                };
                timed(|| world(seed), step, 100, |_| vec![animals.get()])
            },
            |seed| {
                let animals = Cell::new(0);
                let step = |meadow: &mut arrays::wolf_sheep::Meadow| {
                    meadow.step();
                    animals.update(|sum| sum + (meadow.number(0) + meadow.number(1)) as u64);
                };
                timed(|| array(seed), step, 100, |_| vec![animals.get()])
            },
        );
    }
}

fn flocking(bench: &Bench) {
    use models::flocking::{Bird, Flock, Sky, flock};
    for (name, birds, size, sight, apart) in
        [("flocking small", 200, 100.0, 5.0, 1.0), ("flocking large", 400, 150.0, 15.0, 5.0)]
    {
        let bits = |at: [f64; 2]| at[0].to_bits() ^ at[1].to_bits().rotate_left(9);
        bench.row(
            name,
            Same::Bits,
            |seed| {
                let new = || alone(flock(seed, birds, Sky { size, sight, apart }));
                timed(new, Flock::step, 100, |flock| {
                    flock.query::<&Bird>().iter().map(|bird| bits(bird.at)).collect()
                })
            },
            |seed| {
                let new = || arrays::flocking::flock(seed, birds, size, sight, apart);
                timed(new, arrays::flocking::Flock::step, 100, |flock| {
                    flock.birds.iter().map(|bird| bits(bird.at)).collect()
                })
            },
        );
    }
}

fn flocking_at_once(bench: &Bench) {
    use models::flocking::{Bird, Sky};
    use models::flocking_at_once::{Flock, flock};
    for (name, birds, size, sight, apart) in
        [("flocking at once small", 200, 100.0, 5.0, 1.0), ("flocking at once large", 400, 150.0, 15.0, 5.0)]
    {
        let bits = |at: [f64; 2]| at[0].to_bits() ^ at[1].to_bits().rotate_left(9);
        bench.row(
            name,
            Same::Bits,
            |seed| {
                let new = || alone(flock(seed, birds, Sky { size, sight, apart }));
                timed(new, Flock::step, 100, |flock| {
                    flock.query::<&Bird>().iter().map(|bird| bits(bird.at)).collect()
                })
            },
            |seed| {
                let new = || arrays::flocking_at_once::flock(seed, birds, size, sight, apart);
                timed(new, arrays::flocking_at_once::Flock::step, 100, |flock| {
                    flock.birds.iter().map(|bird| bits(bird.at)).collect()
                })
            },
        );
    }
}

fn schelling(bench: &Bench) {
    use models::schelling::{Town, town};
    for (name, width, agents) in [("Schelling small", 40, 1000), ("Schelling large", 100, 8000)] {
        bench.row(
            name,
            Same::Bits,
            |seed| {
                let new = || alone(town(seed, Grid::torus(width, width), agents, 3));
                timed(new, Town::step, 20, |town| {
                    let homes = town.query::<&SingleCell>();
                    homes.iter().map(|cell| u64::from(cell.0.y * width + cell.0.x)).collect()
                })
            },
            |seed| {
                let new = || arrays::schelling::town(seed, width as usize, agents, 3);
                timed(new, arrays::schelling::Town::step, 20, |town| {
                    town.homes.iter().map(|&home| u64::from(home)).collect()
                })
            },
        );
    }
}

fn sugarscape(bench: &Bench) {
    use models::sugarscape::{Agent, Land, land, most};
    for (name, width, agents) in [("Sugarscape small", 50, 400), ("Sugarscape large", 200, 6400)] {
        let grid = Grid::bounded(width, width);
        bench.row(
            name,
            Same::Bits,
            |seed| {
                timed(
                    || alone(land(seed, grid, agents)),
                    Land::step,
                    100,
                    |land| land.query::<&Agent>().iter().map(|agent| agent.wealth as u64).collect(),
                )
            },
            |seed| {
                let most = |x, y| most(grid, At { x: x as u32, y: y as u32 });
                let new = || arrays::sugarscape::land(seed, width as usize, agents, most);
                timed(new, arrays::sugarscape::Land::step, 100, |land| {
                    land.agents.iter().map(|agent| agent.wealth as u64).collect()
                })
            },
        );
    }
}

#[cfg(feature = "network")]
fn sir(bench: &Bench) {
    use models::sir::{Health, Rules, Town, town};
    for (name, number) in [("SIR small", 1000), ("SIR large", 100_000)] {
        let rules = Rules { infection: 0.05, recovery: 0.05 };
        bench.row(
            name,
            Same::Bits,
            |seed| {
                timed(
                    || alone(town(seed, number, rules)),
                    Town::step,
                    100,
                    |town| town.query::<&Health>().iter().map(|&health| health as u64).collect(),
                )
            },
            |seed| {
                let new = || arrays::sir::town(seed, number, [0.05, 0.05]);
                timed(new, arrays::sir::Town::step, 100, |town| {
                    town.health.iter().map(|&health| u64::from(health)).collect()
                })
            },
        );
    }
}

fn fire(bench: &Bench) {
    use models::fire::{Forest, Place, forest};
    for (name, width, density) in [("fire small", 100, 0.7), ("fire large", 500, 0.9)] {
        bench.row(
            name,
            Same::Bits,
            |seed| {
                let new = || alone(forest(seed, Grid::bounded(width, width), density));
                timed(new, Forest::step, 100, |forest| {
                    forest.resource::<Layer<Place>>().values().iter().map(|&place| place as u64).collect()
                })
            },
            |seed| {
                let new = || arrays::fire::forest(seed, width as usize, density);
                timed(new, arrays::fire::Forest::step, 100, |forest| {
                    forest.trees.iter().map(|&tree| u64::from(tree)).collect()
                })
            },
        );
    }
}

fn life(bench: &Bench) {
    use models::life::{Life, life};
    for (name, width) in [("life small", 100), ("life large", 500)] {
        let numbers = |cells: &[bool]| cells.iter().map(|&alive| u64::from(alive)).collect::<End>();
        bench.row(
            name,
            Same::Bits,
            |seed| {
                let new = || alone(life(seed, Grid::torus(width, width)));
                timed(new, Life::step, 100, |life| numbers(life.resource::<Layer<bool>>().values()))
            },
            |seed| {
                let new = || arrays::life::life(seed, width as usize);
                timed(new, arrays::life::Life::step, 100, |life| numbers(&life.cells))
            },
        );
    }
}

fn main() {
    let names = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let wanted = names.map(|name| name.to_lowercase()).collect();
    let rounds = std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(15);
    let bench = Bench { wanted, rounds };
    println!("| model | world, ms | arrays, ms | ratio | ratio of the least |");
    println!("|---|---:|---:|---:|---:|");
    for model in [wolf_sheep, flocking, flocking_at_once, schelling, sugarscape, fire, life] {
        model(&bench);
    }
    #[cfg(feature = "network")]
    sir(&bench);
}
