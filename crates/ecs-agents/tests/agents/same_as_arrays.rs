//! Each model beside the same model on arrays: the same end, bit for bit; and the same hash on each
//! number of threads, in debug and in release.

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_agents::prelude::*;

use crate::{arrays, models};

/// The number of a cell.
fn place(width: u32, cell: Cell) -> u32 {
    cell.y * width + cell.x
}

#[test]
fn schelling_is_the_same_as_on_arrays() {
    for seed in 1..4 {
        let mut town = models::schelling::town(seed, Grid::torus(20, 20), 300, 3);
        let mut array = arrays::schelling::town(seed, 20, 300, 3);
        for _ in 0..20 {
            town.step();
            array.step();
        }
        let homes = town.query::<&SingleCell>();
        assert!(homes.iter().map(|cell| place(20, cell.0)).eq(array.homes));
    }
}

#[test]
fn flocking_is_the_same_as_on_arrays() {
    for seed in 1..4 {
        let sky = models::flocking::Sky { size: 100.0, sight: 5.0, apart: 1.0 };
        let mut flock = models::flocking::flock(seed, 100, sky);
        let mut array = arrays::flocking::flock(seed, 100, 100.0, 5.0, 1.0);
        for _ in 0..30 {
            flock.step();
            array.step();
        }
        let birds = flock.query::<&models::flocking::Bird>();
        let bits = |at: [f64; 2], heading: [f64; 2]| [at, heading].map(|pair| pair.map(f64::to_bits));
        let expected = array.birds.iter().map(|bird| bits(bird.at, bird.heading));
        assert!(birds.iter().map(|bird| bits(bird.at, bird.heading)).eq(expected));
    }
}

#[test]
fn fire_is_the_same_as_on_arrays() {
    for seed in 1..4 {
        let mut forest = models::fire::forest(seed, Grid::bounded(50, 50), 0.7);
        let mut array = arrays::fire::forest(seed, 50, 0.7);
        for _ in 0..40 {
            forest.step();
            array.step();
        }
        let trees = forest.resource::<Layer<models::fire::Place>>();
        assert!(trees.values().iter().map(|&place| place as u8).eq(array.trees));
    }
}

#[test]
fn life_is_the_same_as_on_arrays() {
    for (seed, width) in [(1, 30), (2, 17), (3, 2), (4, 1)] {
        let mut life = models::life::life(seed, Grid::torus(width, width));
        let mut array = arrays::life::life(seed, width as usize);
        for _ in 0..30 {
            life.step();
            if width > 2 {
                array.step();
            }
        }
        if width > 2 {
            assert_eq!(life.resource::<Layer<bool>>().values(), array.cells);
        }
    }
}

#[test]
fn sir_is_the_same_as_on_arrays() {
    for seed in 1..4 {
        let rules = models::sir::Rules { infection: 0.05, recovery: 0.1 };
        let mut town = models::sir::town(seed, 500, rules);
        let mut array = arrays::sir::town(seed, 500, models::sir::network, [0.05, 0.1]);
        for _ in 0..50 {
            town.step();
            array.step();
        }
        assert!(town.query::<&models::sir::Health>().iter().map(|&health| health as u8).eq(array.health));
    }
}

#[test]
fn sugarscape_is_the_same_as_on_arrays() {
    for seed in 1..4 {
        let grid = Grid::bounded(30, 30);
        let most = |x, y| models::sugarscape::most(grid, Cell { x: x as u32, y: y as u32 });
        let mut land = models::sugarscape::land(seed, grid, 200);
        let mut array = arrays::sugarscape::land(seed, 30, 200, most);
        for _ in 0..120 {
            land.step();
            array.step();
        }
        let agents = land.query::<(&SingleCell, &models::sugarscape::Agent)>();
        let agents = agents.iter().map(|(cell, agent)| (place(30, cell.0), agent.wealth, agent.years));
        assert!(agents.eq(array.agents.iter().map(|agent| (agent.home, agent.wealth, agent.years))));
    }
}
