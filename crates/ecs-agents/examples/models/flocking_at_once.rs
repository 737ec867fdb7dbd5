//! The birds of `flocking.rs`, all at once: each bird turns to where the others were in the last
//! step, on as many threads as there are.

use ecs::prelude::*;
use ecs::system::HookState;
use ecs_agents::prelude::*;
use serde::{Deserialize, Serialize};

pub use super::flocking::{Bird, Sky};

world! {
    #[derive(Serialize, Deserialize)]
    pub struct Flock {
        components { Bird, Next<Bird>, Cell }
        resources { Sky, Grid }
    }
    schedule step { turn; take_next::<Bird>; settle }
}

#[system(Flock, par)]
fn turn(
    (id, bird, cell, next): (Entity, &Bird, &Cell, &mut Next<Bird>),
    (birds, cells): (Query<&Bird>, HookState<Cell>),
    (sky, grid): (Res<Sky>, Res<Grid>),
) {
    let ([mut near, mut apart, mut along], mut seen) = ([[0.0; 2]; 3], 0.0);
    for other in grid.moore(*cell, 1).chain([*cell]).flat_map(|cell| cells.at(cell)) {
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
    next.0 = Bird { at: [0, 1].map(|i| (bird.at[i] + heading[i]).rem_euclid(sky.size)), heading };
}

#[system(Flock)]
fn settle(mut cells: Storage<Cell>, birds: Query<(Entity, &Bird)>, (sky, grid): (Res<Sky>, Res<Grid>)) {
    for (id, bird) in &birds {
        cells.insert(id, sky.cell(&grid, bird.at)).expect("a cell of the grid");
    }
}

/// The flock of `flocking.rs` at its start.
pub fn flock(seed: u64, number: usize, sky: Sky) -> Flock {
    let start = super::flocking::flock(seed, number, sky);
    let mut flock = Flock::new(sky, *start.resource::<Grid>());
    let birds = start.query::<(&Bird, &Cell)>();
    flock.spawn_batch(birds.iter().map(|(&bird, &cell)| (bird, Next(bird), cell)));
    flock
}
