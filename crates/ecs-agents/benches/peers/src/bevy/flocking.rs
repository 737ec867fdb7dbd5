//! Flocking: the birds of each cell are in a resource.

use bevy_ecs::prelude::*;
use ecs_agents::prelude::{Cell, Grid, Random, RngExt};

use super::{Draws, Shape, run};
use crate::flocking::Sky;

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
