//! The models on bevy_ecs, with grids that are resources, as its users write them.

use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{Schedule, SingleThreadedExecutor};
use ecs_agents::grid::Grid;
use ecs_agents::prelude::{Cell, Random, RngExt};

use crate::flocking::Sky;

#[derive(Resource)]
struct Draws(Random);
#[derive(Resource)]
struct Shape(Grid);

#[derive(Component)]
struct Home(Cell);
#[derive(Component, PartialEq)]
struct Group(u8);
#[derive(Resource)]
struct Town {
    /// The agent of each cell.
    agents: Vec<Option<Entity>>,
    /// The agents in the order of their births.
    all: Vec<Entity>,
    needs: usize,
}

fn settle(
    mut homes: Query<&mut Home>,
    groups: Query<&Group>,
    (mut town, shape, mut draws): (ResMut<Town>, Res<Shape>, ResMut<Draws>),
) {
    let grid = shape.0;
    for agent in draws.0.shuffled(town.all.iter().copied()) {
        let (Ok(mut home), Ok(group)) = (homes.get_mut(agent), groups.get(agent)) else { continue };
        let near = grid.moore(home.0, 1).filter_map(|cell| groups.get(town.agents[grid.index(cell)]?).ok());
        if near.filter(|&other| other == group).count() < town.needs {
            let empty = loop {
                let cell = grid.random(&mut draws.0);
                if town.agents[grid.index(cell)].is_none() {
                    break cell;
                }
            };
            town.agents[grid.index(home.0)] = None;
            town.agents[grid.index(empty)] = Some(agent);
            home.0 = empty;
        }
    }
}

pub(crate) fn schelling(seed: u64, width: u32, agents: usize, needs: usize, steps: u32) -> Vec<u64> {
    let (grid, mut random, mut world) = (Grid::torus(width, width), Random::new(seed), World::new());
    let homes = random.shuffled(grid.cells());
    let mut town = Town { agents: vec![None; grid.len()], all: Vec::new(), needs };
    for (i, &home) in homes[..agents].iter().enumerate() {
        let agent = world.spawn((Home(home), Group((i % 2) as u8))).id();
        town.agents[grid.index(home)] = Some(agent);
        town.all.push(agent);
    }
    world.insert_resource(town);
    run(&mut world, grid, random, steps, settle);
    let town = world.resource::<Town>();
    town.all.iter().map(|&agent| grid.index(world.get::<Home>(agent).unwrap().0) as u64).collect()
}

#[derive(Component, Clone, Copy)]
struct Bird {
    at: [f64; 2],
    heading: [f64; 2],
    cell: Cell,
}
#[derive(Resource)]
struct Flock {
    sky: Sky,
    all: Vec<Entity>,
    /// The numbers of the birds of each cell, ascending, with their ids.
    cells: Vec<Vec<(u32, Entity)>>,
}

fn fly(
    mut birds: Query<&mut Bird>,
    (mut flock, shape, mut draws): (ResMut<Flock>, Res<Shape>, ResMut<Draws>),
) {
    let (grid, Flock { sky, all, cells }) = (shape.0, &mut *flock);
    for number in draws.0.shuffled(0..all.len() as u32) {
        let id = all[number as usize];
        let Ok(&bird) = birds.get(id) else { continue };
        let ([mut near, mut apart, mut along], mut seen) = ([[0.0; 2]; 3], 0.0);
        let around = grid.moore(bird.cell, 1).chain([bird.cell]);
        for &(_, other) in around.flat_map(|cell| &cells[grid.index(cell)]) {
            let Some(other) = birds.get(other).ok().filter(|_| other != id) else { continue };
            let way = [0, 1].map(|i| sky.way(bird.at[i], other.at[i]));
            let square = way[0] * way[0] + way[1] * way[1];
            if square <= sky.sight * sky.sight {
                seen += 1.0;
                let too_near = f64::from(u8::from(square < sky.apart * sky.apart));
                for i in [0, 1] {
                    near[i] += way[i];
                    apart[i] -= way[i] * too_near;
                    along[i] += other.heading[i];
                }
            }
        }
        let seen = f64::max(seen, 1.0);
        let turn = |i: usize| (near[i] * 0.03 + apart[i] * 0.015 + along[i] * 0.05) / seen;
        let [x, y] = [0, 1].map(|i| bird.heading[i] + turn(i));
        let heading = [x, y].map(|part| part / (x * x + y * y).sqrt());
        let at = [0, 1].map(|i| (bird.at[i] + heading[i]).rem_euclid(sky.size));
        let cell = sky.cell(&grid, at);
        *birds.get_mut(id).unwrap() = Bird { at, heading, cell };
        if cell != bird.cell {
            cells[grid.index(bird.cell)].retain(|&(_, other)| other != id);
            let to = &mut cells[grid.index(cell)];
            to.insert(to.partition_point(|&(other, _)| other < number), (number, id));
        }
    }
}

pub(crate) fn flocking(seed: u64, number: usize, sky: Sky, steps: u32) -> Vec<u64> {
    let (mut random, mut world, width) = (Random::new(seed), World::new(), (sky.size / sky.sight) as u32);
    let grid = Grid::torus(width, width);
    let mut flock = Flock { sky, all: Vec::new(), cells: vec![Vec::new(); grid.len()] };
    for number in 0..number as u32 {
        let at = [0, 1].map(|_| random.random_range(0.0..sky.size));
        let [x, y] = [0, 1].map(|_| random.random_range(-1.0..1.0_f64));
        let heading = [x, y].map(|part| part / (x * x + y * y).sqrt());
        let bird = Bird { at, heading, cell: sky.cell(&grid, at) };
        let id = world.spawn(bird).id();
        flock.cells[grid.index(bird.cell)].push((number, id));
        flock.all.push(id);
    }
    world.insert_resource(flock);
    run(&mut world, grid, random, steps, fly);
    let bits = |id: &Entity| world.get::<Bird>(*id).unwrap().at.map(f64::to_bits);
    world.resource::<Flock>().all.iter().map(|id| bits(id)[0] ^ bits(id)[1]).collect()
}

fn run<M>(
    world: &mut World,
    grid: Grid,
    random: Random,
    steps: u32,
    system: impl IntoScheduleConfigs<bevy_ecs::system::ScheduleSystem, M>,
) {
    world.insert_resource(Draws(random));
    world.insert_resource(Shape(grid));
    let mut schedule = Schedule::default();
    schedule.set_executor(SingleThreadedExecutor::new()).add_systems(system);
    (0..steps).for_each(|_| schedule.run(world));
}
