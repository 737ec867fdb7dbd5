//! Wolves, sheep and grass: sheep eat grass, wolves eat sheep, and who has no energy dies.

use ecs::prelude::*;
use ecs_agents::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize)]
pub struct Sheep;
/// The cell of a wolf: nobody looks for wolves, so that no index has them.
#[derive(Component, Serialize, Deserialize)]
pub struct Wolf(pub Cell);
#[derive(Component, Serialize, Deserialize, Clone, Copy)]
pub struct Energy(pub i32);

/// The energy of a meal, and the probability of a birth in a step.
#[derive(Serialize, Deserialize, Clone, Copy)]
pub struct Kind {
    pub meal: i32,
    pub birth: f64,
}

#[derive(Resource, Serialize, Deserialize, Clone, Copy)]
pub struct Rules {
    pub sheep: Kind,
    pub wolf: Kind,
    pub regrowth: u32,
}

world! {
    #[derive(Reflect, Serialize, Deserialize)]
    pub struct Meadow {
        include ecs_agents::random::random;
        components { Cell, Energy, Sheep, Wolf }
        // the steps until there is grass again
        resources { grass: Layer<u32>, Rules }
    }
    schedule step { include ecs_agents::random::next_step; graze; hunt; live; grow }
}

#[system(Meadow)]
fn graze(
    (mut cells, mut sheep): (Storage<Cell>, Query<(Entity, &mut Energy), With<Sheep>>),
    (mut grass, rules, mut random): (ResMut<Layer<u32>>, Res<Rules>, ResMut<Random>),
) {
    for agent in random.shuffled(sheep.iter().map(|(agent, _)| agent)) {
        let here = *cells.get(agent).expect("a sheep is in a cell");
        let cell = grass.grid().random_moore(here, 1, &mut *random).expect("the meadow has several cells");
        cells.insert(agent, cell).expect("a cell of the grid");
        if let (0, Some((_, energy))) = (grass[cell], sheep.get_mut(agent)) {
            grass[cell] = rules.regrowth;
            energy.0 += rules.sheep.meal;
        }
    }
}

#[system(Meadow)]
fn hunt(
    (mut sheep, mut wolves): (Storage<Cell>, Query<(Entity, &mut Energy, &mut Wolf)>),
    (grass, rules, mut random): (Res<Layer<u32>>, Res<Rules>, ResMut<Random>),
) {
    for agent in random.shuffled(wolves.iter().map(|(agent, ..)| agent)) {
        let Some((_, energy, Wolf(cell))) = wolves.get_mut(agent) else { continue };
        *cell = grass.grid().random_moore(*cell, 1, &mut *random).expect("the meadow has several cells");
        if let Some(prey) = sheep.hook_state().one(*cell) {
            // an eaten sheep is in no cell
            sheep.remove(prey);
            energy.0 += rules.wolf.meal;
        }
    }
}

/// A step costs energy: who has none dies, and others have a child now and then.
#[system(Meadow)]
fn live(
    (agent, cell, energy, wolf): (Entity, Option<&Cell>, &mut Energy, Option<&Wolf>),
    (rules, mut random, mut commands): (Res<Rules>, ResMut<Random>, Commands<Meadow>),
) {
    let birth = if wolf.is_some() { rules.wolf.birth } else { rules.sheep.birth };
    energy.0 -= 1;
    let here = wolf.map_or(cell.copied(), |wolf| Some(wolf.0));
    let Some(cell) = here.filter(|_| energy.0 >= 0) else { return commands.despawn(agent) };
    if random.random_bool(birth) {
        energy.0 /= 2;
        match wolf {
            Some(_) => commands.spawn((Wolf(cell), *energy)),
            None => commands.spawn((cell, *energy, Sheep)),
        };
    }
}

#[system(Meadow)]
fn grow(mut grass: ResMut<Layer<u32>>) {
    grass.values_mut().iter_mut().for_each(|wait| *wait = wait.saturating_sub(1));
}

pub fn meadow(seed: u64, grid: Grid, [sheep, wolves]: [usize; 2], rules: Rules) -> Meadow {
    let mut random = Random::new(seed);
    let grass = Layer::from_fn(grid, |_| {
        if random.random_bool(0.5) { 0 } else { random.random_range(0..rules.regrowth) }
    });
    let mut animal = |Kind { meal, .. }| (grid.random(&mut random), Energy(random.random_range(0..2 * meal)));
    let sheep: Vec<_> = (0..sheep).map(|_| animal(rules.sheep)).collect();
    let wolves: Vec<_> = (0..wolves).map(|_| animal(rules.wolf)).collect();
    let mut meadow = Meadow::new(random, grass, rules);
    meadow.spawn_batch(sheep.into_iter().map(|(cell, energy)| (cell, energy, Sheep)));
    meadow.spawn_batch(wolves.into_iter().map(|(cell, energy)| (Wolf(cell), energy)));
    meadow
}
