//! The models of `examples/models`, run to their ends on one thread.

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_agents::prelude::*;

use crate::End;
use crate::models::{fire, flocking, flocking_at_once, life, schelling, sir, sugarscape, wolf_sheep};

/// Names, widths, numbers of sheep and wolves, and rules.
pub(crate) const MEADOWS: [(&str, u32, [usize; 2], wolf_sheep::Rules); 2] = [
    ("wolf-sheep small", 25, [60, 40], rules([5, 13], [0.2, 0.1], 20)),
    ("wolf-sheep large", 100, [960, 640], rules([5, 13], [0.2, 0.1], 20)),
];

const fn rules(meals: [i32; 2], births: [f64; 2], regrowth: u32) -> wolf_sheep::Rules {
    let sheep = wolf_sheep::Kind { meal: meals[0], birth: births[0] };
    wolf_sheep::Rules { sheep, wolf: wolf_sheep::Kind { meal: meals[1], birth: births[1] }, regrowth }
}

/// The world after so many steps on one thread.
fn stepped<W: World>(mut world: W, mut step: impl FnMut(&mut W), steps: u32) -> W {
    world.set_parallelism(Parallelism::Never);
    (0..steps).for_each(|_| step(&mut world));
    world
}

pub(crate) fn schelling(seed: u64, width: u32, agents: usize) -> End {
    let town = schelling::town(seed, Grid::torus(width, width), agents, 3);
    let town = stepped(town, schelling::Town::step, 20);
    let homes = town.query::<&SingleCell>();
    homes.iter().map(|cell| u64::from(cell.0.y * width + cell.0.x)).collect()
}

pub(crate) fn flocking(seed: u64, birds: usize, sky: flocking::Sky) -> End {
    let flock = stepped(flocking::flock(seed, birds, sky), flocking::Flock::step, 100);
    let birds = flock.query::<&flocking::Bird>();
    birds.iter().map(|bird| bird.at[0].to_bits() ^ bird.at[1].to_bits()).collect()
}

/// The directions of the birds, x and y by turns.
pub(crate) fn flocking_at_once(seed: u64, birds: usize, sky: flocking::Sky) -> End {
    let flock = flocking_at_once::flock(seed, birds, sky);
    let flock = stepped(flock, flocking_at_once::Flock::step, 100);
    flock.query::<&flocking::Bird>().iter().flat_map(|bird| bird.heading.map(f64::to_bits)).collect()
}

/// Calls `each` with the numbers of sheep and of wolves after each step, and returns the number of
/// animals in all steps but the last one.
pub(crate) fn wolf_sheep(
    seed: u64,
    width: u32,
    numbers: [usize; 2],
    rules: wolf_sheep::Rules,
    mut each: impl FnMut([usize; 2]),
) -> End {
    let (mut all, mut last) = (0, 0);
    let meadow = wolf_sheep::meadow(seed, Grid::torus(width, width), numbers, rules);
    let step = |meadow: &mut wolf_sheep::Meadow| {
        meadow.step();
        let sheep = meadow.query::<&wolf_sheep::Sheep>().len();
        let wolves = meadow.query::<&wolf_sheep::Wolf>().len();
        each([sheep, wolves]);
        all += std::mem::replace(&mut last, sheep + wolves);
    };
    stepped(meadow, step, 100);
    vec![all as u64]
}

pub(crate) fn sugarscape(seed: u64, width: u32, agents: usize) -> End {
    let land = sugarscape::land(seed, Grid::bounded(width, width), agents);
    let land = stepped(land, sugarscape::Land::step, 100);
    land.query::<&sugarscape::Agent>().iter().map(|agent| agent.wealth as u64).collect()
}

pub(crate) fn sir(seed: u64, number: u32, rules: sir::Rules) -> End {
    let town = stepped(sir::town(seed, number, rules), sir::Town::step, 100);
    town.query::<&sir::Health>().iter().map(|&health| health as u64).collect()
}

pub(crate) fn fire(seed: u64, width: u32, density: f64) -> End {
    let forest = fire::forest(seed, Grid::bounded(width, width), density);
    let forest = stepped(forest, fire::Forest::step, 100);
    forest.resource::<Layer<fire::Place>>().values().iter().map(|&place| place as u64).collect()
}

pub(crate) fn life(seed: u64, width: u32) -> End {
    let life = stepped(life::life(seed, Grid::torus(width, width)), life::Life::step, 100);
    life.resource::<Layer<bool>>().values().iter().map(|&alive| u64::from(alive)).collect()
}
