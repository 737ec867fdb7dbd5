//! Each model of `examples/models` beside the same model on arrays, in the sizes that the tests and
//! the benchmark run.

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_agents::prelude::{Cell, Grid, Layer, SingleCell};

use crate::{arrays, models};

/// The state at the end of a run, as numbers.
pub type End = Vec<u64>;

/// A model: how it is made from a seed, what a step does, and its end.
pub struct Side<New, Step, Read> {
    pub new: New,
    pub step: Step,
    pub end: Read,
}

/// A test or a benchmark of a world and arrays of one model.
pub trait Compare {
    /// Whether a model is run.
    fn wants(&self, name: &str) -> bool;
    /// `is_same` is whether both end in the same state, bit for bit.
    fn pair<W, A>(
        &self,
        name: &str,
        is_same: bool,
        steps: u32,
        world: Side<impl Fn(u64) -> W, impl Fn(&mut W), impl Fn(&W) -> End>,
        arrays: Side<impl Fn(u64) -> A, impl Fn(&mut A), impl Fn(&A) -> End>,
    );
}

/// A world that stays on this thread.
fn alone<W: World>(mut world: W) -> W {
    world.set_parallelism(Parallelism::Never);
    world
}

pub fn each_pair(compare: &impl Compare) {
    for model in [wolf_sheep, flocking, flocking_at_once, schelling, sugarscape, fire, life] {
        model(compare);
    }
    #[cfg(feature = "network")]
    sir(compare);
}

/// A world keeps its animals in another order, so that only their number in all steps is compared.
fn wolf_sheep(compare: &impl Compare) {
    use models::wolf_sheep::{Energy, Kind, Meadow, Rules, meadow};
    // the rules with which sheep and wolves live beside each other for long
    let (meals, births, regrowth) = ([5, 13], [0.2, 0.1], 20);
    for (name, width, numbers) in [("wolf-sheep small", 25, [60, 40]), ("wolf-sheep large", 100, [960, 640])]
    {
        if !compare.wants(name) {
            continue;
        }
        let kind = |i: usize| Kind { meal: meals[i], birth: births[i] };
        let rules = Rules { sheep: kind(0), wolf: kind(1), regrowth };
        let kinds = [0, 1].map(|i| arrays::wolf_sheep::Kind { meal: meals[i], birth: births[i] });
        let world = Side {
            new: |seed| (alone(meadow(seed, Grid::torus(width, width), numbers, rules)), 0),
            step: |(meadow, animals): &mut (Meadow, u64)| {
                meadow.step();
                *animals += meadow.query::<&Energy>().len() as u64;
            },
            end: |(_, animals): &(_, u64)| vec![*animals],
        };
        let arrays = Side {
            new: |seed| (arrays::wolf_sheep::meadow(seed, width as usize, numbers, kinds, regrowth), 0),
            step: |(meadow, animals): &mut (arrays::wolf_sheep::Meadow, u64)| {
                meadow.step();
                *animals += (meadow.number(0) + meadow.number(1)) as u64;
            },
            end: |(_, animals): &(_, u64)| vec![*animals],
        };
        compare.pair(name, false, 100, world, arrays);
    }
}

const SKIES: [(&str, usize, models::flocking::Sky); 2] = [
    ("small", 200, models::flocking::Sky { size: 100.0, sight: 5.0, apart: 1.0 }),
    ("large", 400, models::flocking::Sky { size: 150.0, sight: 15.0, apart: 5.0 }),
];

fn bird([at, heading]: [[f64; 2]; 2]) -> [u64; 2] {
    [at, heading].map(|[x, y]| x.to_bits() ^ y.to_bits().rotate_left(9))
}

/// Compares both models of flocking, which have the same birds.
macro_rules! flocking {
    ($model:ident, $name:literal) => {
        fn $model(compare: &impl Compare) {
            use models::$model::{Flock, flock};
            for (size, birds, sky) in SKIES {
                let name = format!("{} {size}", $name);
                if !compare.wants(&name) {
                    continue;
                }
                let world = Side {
                    new: |seed| alone(flock(seed, birds, sky)),
                    step: Flock::step,
                    end: |flock: &Flock| {
                        let birds = flock.query::<&models::flocking::Bird>();
                        birds.iter().flat_map(|of| bird([of.at, of.heading])).collect()
                    },
                };
                let arrays = Side {
                    new: |seed| arrays::$model::flock(seed, birds, sky.size, sky.sight, sky.apart),
                    step: arrays::$model::Flock::step,
                    end: |flock: &arrays::$model::Flock| {
                        flock.birds.iter().flat_map(|of| bird([of.at, of.heading])).collect()
                    },
                };
                compare.pair(&name, true, 100, world, arrays);
            }
        }
    };
}
flocking!(flocking, "flocking");
flocking!(flocking_at_once, "flocking at once");

fn schelling(compare: &impl Compare) {
    use models::schelling::{Town, town};
    for (name, width, agents) in [("Schelling small", 40, 1000), ("Schelling large", 100, 8000)] {
        if !compare.wants(name) {
            continue;
        }
        let world = Side {
            new: |seed| alone(town(seed, Grid::torus(width, width), agents, 3)),
            step: Town::step,
            end: |town: &Town| {
                let homes = town.query::<&SingleCell>();
                homes.iter().map(|cell| u64::from(cell.0.y * width + cell.0.x)).collect()
            },
        };
        let arrays = Side {
            new: |seed| arrays::schelling::town(seed, width as usize, agents, 3),
            step: arrays::schelling::Town::step,
            end: |town: &arrays::schelling::Town| town.homes.iter().map(|&home| home.into()).collect(),
        };
        compare.pair(name, true, 20, world, arrays);
    }
}

fn sugarscape(compare: &impl Compare) {
    use models::sugarscape::{Agent, Home, Land, land, most};
    for (name, width, agents) in [("Sugarscape small", 50, 400), ("Sugarscape large", 200, 6400)] {
        if !compare.wants(name) {
            continue;
        }
        let grid = Grid::bounded(width, width);
        let world = Side {
            new: |seed| alone(land(seed, grid, agents)),
            step: Land::step,
            end: |land: &Land| {
                let agents = land.query::<(&Home, &Agent)>();
                let numbers = |(cell, agent): (&Home, &Agent)| {
                    [u64::from(cell.0.y * width + cell.0.x), agent.wealth as u64, agent.years.into()]
                };
                agents.iter().flat_map(numbers).collect()
            },
        };
        let most = |x, y| most(grid, Cell { x: x as u32, y: y as u32 });
        let arrays = Side {
            new: |seed| arrays::sugarscape::land(seed, width as usize, agents, most),
            step: arrays::sugarscape::Land::step,
            end: |land: &arrays::sugarscape::Land| {
                let agents = land.agents.iter();
                agents
                    .flat_map(|agent| [agent.home.into(), agent.wealth as u64, agent.years.into()])
                    .collect()
            },
        };
        compare.pair(name, true, 100, world, arrays);
    }
}

#[cfg(feature = "network")]
fn sir(compare: &impl Compare) {
    use models::sir::{Health, Rules, Town, town};
    for (name, number) in [("SIR small", 1000), ("SIR large", 100_000)] {
        if !compare.wants(name) {
            continue;
        }
        let rules = Rules { infection: 0.05, recovery: 0.05 };
        let world = Side {
            new: |seed| alone(town(seed, number, rules)),
            step: Town::step,
            end: |town: &Town| town.query::<&Health>().iter().map(|&health| health as u64).collect(),
        };
        let arrays = Side {
            new: |seed| arrays::sir::town(seed, number, [rules.infection, rules.recovery]),
            step: arrays::sir::Town::step,
            end: |town: &arrays::sir::Town| town.health.iter().map(|&health| health.into()).collect(),
        };
        compare.pair(name, true, 100, world, arrays);
    }
}

fn fire(compare: &impl Compare) {
    use models::fire::{Forest, Place, forest};
    for (name, width, density) in [("fire small", 100, 0.7), ("fire large", 500, 0.9)] {
        if !compare.wants(name) {
            continue;
        }
        let world = Side {
            new: |seed| alone(forest(seed, Grid::bounded(width, width), density)),
            step: Forest::step,
            end: |forest: &Forest| {
                forest.resource::<Layer<Place>>().values().iter().map(|&place| place as u64).collect()
            },
        };
        let arrays = Side {
            new: |seed| arrays::fire::forest(seed, width as usize, density),
            step: arrays::fire::Forest::step,
            end: |forest: &arrays::fire::Forest| forest.trees.iter().map(|&tree| tree.into()).collect(),
        };
        compare.pair(name, true, 100, world, arrays);
    }
}

fn life(compare: &impl Compare) {
    use models::life::{Life, life};
    for (name, width) in [("life tiny", 17), ("life small", 100), ("life large", 500)] {
        if !compare.wants(name) {
            continue;
        }
        let numbers = |cells: &[bool]| cells.iter().map(|&alive| alive.into()).collect::<End>();
        let world = Side {
            new: |seed| alone(life(seed, Grid::torus(width, width))),
            step: Life::step,
            end: |life: &Life| numbers(life.resource::<Layer<bool>>().values()),
        };
        let arrays = Side {
            new: |seed| arrays::life::life(seed, width as usize),
            step: arrays::life::Life::step,
            end: |life: &arrays::life::Life| numbers(&life.cells),
        };
        compare.pair(name, true, 100, world, arrays);
    }
}
