//! Flocking birds on a torus: each bird in turn, in random order, turns to the middle of those that
//! it sees, away from those that are too near, and into their direction.

use ecs::prelude::*;
use ecs_agents::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, Copy)]
pub struct Bird {
    pub at: [f64; 2],
    pub heading: [f64; 2],
}

#[derive(Resource, Serialize, Deserialize, Clone, Copy)]
pub struct Sky {
    /// The length of an edge.
    pub size: f64,
    pub sight: f64,
    /// The distance that birds keep.
    pub apart: f64,
}

world! {
    #[derive(Serialize, Deserialize)]
    pub struct Flock {
        include ecs_agents::random::random;
        // the cell of a bird: as wide as a bird sees, so that it sees only birds of nine cells
        components { Bird, Cell }
        resources { Sky, Grid }
    }
    schedule step { include ecs_agents::random::next_step; fly }
}

#[system(Flock)]
fn fly(
    (mut cells, mut birds, ids): (Storage<Cell>, Query<&mut Bird>, Query<Entity, With<Bird>>),
    (sky, grid, mut random): (Res<Sky>, Res<Grid>, ResMut<Random>),
) {
    for id in random.shuffled(ids) {
        let (Some(&bird), Some(&cell)) = (birds.get(id), cells.get(id)) else { continue };
        let ([mut near, mut apart, mut along], mut seen) = ([[0.0; 2]; 3], 0.0);
        let others = cells.hook_state();
        for other in grid.moore(cell, 1).chain([cell]).flat_map(|cell| others.at(cell)) {
            let Some(other) = birds.get(*other).filter(|_| *other != id) else { continue };
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
        let turn = |i| (near[i] * 0.03 + apart[i] * 0.015 + along[i] * 0.05) / seen;
        let [x, y] = [0, 1].map(|i| bird.heading[i] + turn(i));
        let heading = [x, y].map(|part| part / (x * x + y * y).sqrt());
        let at = [0, 1].map(|i| (bird.at[i] + heading[i]).rem_euclid(sky.size));
        *birds.get_mut(id).expect("a bird") = Bird { at, heading };
        cells.insert(id, sky.cell(&grid, at)).expect("a cell of the grid");
    }
}

impl Sky {
    /// The shorter way from one coordinate to another.
    #[inline]
    pub fn way(&self, from: f64, to: f64) -> f64 {
        let way = to - from;
        if way > self.size / 2.0 {
            way - self.size
        } else if way < -self.size / 2.0 {
            way + self.size
        } else {
            way
        }
    }

    #[inline]
    pub fn cell(&self, grid: &Grid, at: [f64; 2]) -> Cell {
        let [x, y] =
            at.map(|part| ((part / self.size * f64::from(grid.width())) as u32).min(grid.width() - 1));
        Cell { x, y }
    }
}

pub fn flock(seed: u64, birds: usize, sky: Sky) -> Flock {
    let (mut random, cells) = (Random::new(seed), (sky.size / sky.sight) as u32);
    let grid = Grid::torus(cells, cells);
    let birds = (0..birds).map(|_| {
        let at = [0, 1].map(|_| random.random_range(0.0..sky.size));
        let [x, y] = [0, 1].map(|_| random.random_range(-1.0..1.0_f64));
        let heading = [x, y].map(|part| part / (x * x + y * y).sqrt());
        (Bird { at, heading }, sky.cell(&grid, at))
    });
    let birds: Vec<_> = birds.collect();
    let mut flock = Flock::new(random, sky, grid);
    flock.spawn_batch(birds);
    flock
}
