//! Sugarscape: the sugar and the agent of each cell are in a resource.

use bevy_ecs::prelude::*;
use ecs_agents::prelude::{Grid, Random};

use super::{Draws, Home, Shape, run};
use crate::sugarscape::{Agent, most};

#[derive(Component)]
struct Person(Agent);
struct Place {
    sugar: u8,
    most: u8,
}
#[derive(Resource)]
struct Land {
    places: Vec<Place>,
    taken: Vec<bool>,
    /// The agents in the order of their births.
    all: Vec<Entity>,
}

fn grow(mut land: ResMut<Land>) {
    land.places.iter_mut().for_each(|place| place.sugar = place.most.min(place.sugar + 1));
}

fn act(
    mut people: Query<(&mut Home, &mut Person)>,
    (mut land, shape, mut draws): (ResMut<Land>, Res<Shape>, ResMut<Draws>),
) {
    let (grid, Land { places, taken, all }) = (shape.0, &mut *land);
    for id in draws.0.shuffled(all.iter().copied()) {
        let Ok((mut home, mut person)) = people.get_mut(id) else { continue };
        let (here, agent) = (home.0, &mut person.0);
        let mut best = (places[grid.index(here)].sugar, 0, here);
        for distance in 1..=agent.vision {
            for (dx, dy) in [(1, 0), (0, 1), (-1, 0), (0, -1)] {
                let Some(cell) = grid.step(here, dx * distance, dy * distance) else { continue };
                let place = grid.index(cell);
                if (places[place].sugar, -distance) > (best.0, best.1) && !taken[place] {
                    best = (places[place].sugar, -distance, cell);
                }
            }
        }
        let mut next = best.2;
        agent.wealth += i32::from(std::mem::take(&mut places[grid.index(next)].sugar)) - agent.hunger;
        agent.years = agent.years.saturating_sub(1);
        if agent.wealth < 0 || agent.years == 0 {
            *agent = Agent::random(&mut draws.0);
            next = loop {
                let cell = grid.random(&mut draws.0);
                if !taken[grid.index(cell)] {
                    break cell;
                }
            };
        }
        taken[grid.index(here)] = false;
        taken[grid.index(next)] = true;
        home.0 = next;
    }
}

pub(crate) fn sugarscape(seed: u64, width: u32, agents: usize, steps: u32) -> Vec<u64> {
    let (grid, mut random, mut world) = (Grid::bounded(width, width), Random::new(seed), World::new());
    let homes = random.shuffled(grid.cells());
    let place = |cell| Place { sugar: most(grid, cell), most: most(grid, cell) };
    let mut land =
        Land { places: grid.cells().map(place).collect(), taken: vec![false; grid.len()], all: Vec::new() };
    for &home in &homes[..agents] {
        land.taken[grid.index(home)] = true;
        land.all.push(world.spawn((Home(home), Person(Agent::random(&mut random)))).id());
    }
    world.insert_resource(land);
    run(&mut world, grid, random, steps, (grow, act).chain());
    let all = &world.resource::<Land>().all;
    all.iter().map(|&id| world.get::<Person>(id).unwrap().0.wealth as u64).collect()
}
