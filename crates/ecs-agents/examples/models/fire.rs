//! A forest fire: it begins at the left edge, and each burning tree sets its neighbours on fire.

use ecs::prelude::*;
use ecs_agents::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub enum Place {
    Empty,
    Green,
    Burning,
    Ash,
}

/// The cells that burn: only their neighbours change.
#[derive(Resource, Serialize, Deserialize, Default)]
pub struct Front(pub Vec<Cell>);

world! {
    #[derive(Serialize, Deserialize)]
    pub struct Forest { resources { trees: Layer<Place>, Front } }
    schedule step { burn }
}

#[system(Forest)]
fn burn(mut trees: ResMut<Layer<Place>>, mut front: ResMut<Front>) {
    let (grid, trees, mut next) = (trees.grid(), &mut *trees, Vec::with_capacity(front.0.len()));
    for &cell in &front.0 {
        trees[cell] = Place::Ash;
        for near in grid.von_neumann(cell, 1) {
            if trees[near] == Place::Green {
                trees[near] = Place::Burning;
                next.push(near);
            }
        }
    }
    front.0 = next;
}

pub fn forest(seed: u64, grid: Grid, density: f64) -> Forest {
    let (mut random, mut front) = (Random::new(seed), Vec::new());
    let trees = Layer::from_fn(grid, |cell| match random.random_bool(density) {
        true if cell.x == 0 => {
            front.push(cell);
            Place::Burning
        }
        true => Place::Green,
        false => Place::Empty,
    });
    Forest::new(trees, Front(front))
}
