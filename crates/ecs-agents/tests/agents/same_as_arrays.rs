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
fn flocking_at_once_is_the_same_as_on_arrays() {
    for seed in 1..4 {
        let sky = models::flocking::Sky { size: 100.0, sight: 5.0, apart: 1.0 };
        let mut flock = models::flocking_at_once::flock(seed, 100, sky);
        let mut array = arrays::flocking_at_once::flock(seed, 100, 100.0, 5.0, 1.0);
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

#[cfg(feature = "network")]
#[test]
fn sir_is_the_same_as_on_arrays() {
    for seed in 1..4 {
        let rules = models::sir::Rules { infection: 0.05, recovery: 0.1 };
        let mut town = models::sir::town(seed, 500, rules);
        let mut array = arrays::sir::town(seed, 500, [0.05, 0.1]);
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

/// Asserts the hash of a world after 30 steps: a constant, since debug and release builds and all
/// machines have the same. The world runs on one, two and four threads.
fn has_hash<W: World>(expected: u64, new: impl Fn() -> W + Sync, step: fn(&mut W), hash: fn(&W) -> u64) {
    for threads in [1, 2, 4] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let found = pool.install(|| {
            let mut world = new();
            let parallelism = if threads == 1 { Parallelism::Never } else { Parallelism::Always };
            world.set_parallelism(parallelism);
            (0..30).for_each(|_| step(&mut world));
            hash(&world)
        });
        assert_eq!(found, expected, "{found:#018x} on {threads} threads");
    }
}

#[test]
fn the_hash_of_schelling_is_fixed() {
    use models::schelling::{Town, town};
    has_hash(0x67a7_e0a5_bbf7_c5b8, || town(1, Grid::torus(20, 20), 300, 3), Town::step, Town::hash);
}

#[test]
fn the_hash_of_flocking_is_fixed() {
    use models::flocking::{Flock, Sky, flock};
    let sky = Sky { size: 100.0, sight: 5.0, apart: 1.0 };
    has_hash(0x1523_f34f_a876_e8f7, || flock(1, 100, sky), Flock::step, Flock::hash);
}

#[test]
fn the_hash_of_flocking_at_once_is_fixed() {
    use models::flocking::Sky;
    use models::flocking_at_once::{Flock, flock};
    let sky = Sky { size: 100.0, sight: 5.0, apart: 1.0 };
    has_hash(0xd015_4666_47aa_df30, || flock(1, 100, sky), Flock::step, Flock::hash);
}

#[test]
fn the_hash_of_fire_is_fixed() {
    use models::fire::{Forest, forest};
    has_hash(0xb638_ea8d_a5d4_620d, || forest(1, Grid::bounded(50, 50), 0.7), Forest::step, Forest::hash);
}

#[test]
fn the_hash_of_life_is_fixed() {
    use models::life::{Life, life};
    has_hash(0x3a90_4965_0a78_a256, || life(1, Grid::torus(30, 30)), Life::step, Life::hash);
}

#[cfg(feature = "network")]
#[test]
fn the_hash_of_sir_is_fixed() {
    use models::sir::{Rules, Town, town};
    let rules = Rules { infection: 0.05, recovery: 0.1 };
    has_hash(0x180a_5f68_7e0f_eb58, || town(1, 500, rules), Town::step, Town::hash);
}

#[test]
fn the_hash_of_sugarscape_is_fixed() {
    use models::sugarscape::{Land, land};
    has_hash(0xe9b6_d7a7_4eff_0896, || land(1, Grid::bounded(30, 30), 200), Land::step, Land::hash);
}

#[test]
fn the_hash_of_wolf_sheep_is_fixed() {
    use models::wolf_sheep::{Kind, Meadow, Rules, meadow};
    let (sheep, wolf) = (Kind { meal: 5, birth: 0.2 }, Kind { meal: 13, birth: 0.1 });
    let rules = Rules { sheep, wolf, regrowth: 20 };
    has_hash(
        0xa7fb_d064_449b_50c1,
        || meadow(1, Grid::torus(25, 25), [60, 40], rules),
        Meadow::step,
        Meadow::hash,
    );
}

#[test]
fn wolf_sheep_has_as_many_animals_as_on_arrays() {
    use models::wolf_sheep::{Energy, Kind, Rules, meadow};
    let kind = |meal, birth| (Kind { meal, birth }, arrays::wolf_sheep::Kind { meal, birth });
    let (sheep, wolf) = (kind(5, 0.2), kind(13, 0.1));
    let rules = Rules { sheep: sheep.0, wolf: wolf.0, regrowth: 20 };
    let (mut of_worlds, mut of_arrays) = (0, 0);
    for seed in 0..10 {
        let mut world = meadow(seed, Grid::torus(25, 25), [60, 40], rules);
        let mut array = arrays::wolf_sheep::meadow(seed, 25, [60, 40], [sheep.1, wolf.1], 20);
        for _ in 0..100 {
            world.step();
            array.step();
            of_worlds += world.query::<&Energy>().len();
            of_arrays += array.number(0) + array.number(1);
        }
    }
    let part = of_worlds as f64 / of_arrays as f64;
    assert!((0.95..1.05).contains(&part), "{of_worlds} animals in worlds, {of_arrays} in arrays");
}
