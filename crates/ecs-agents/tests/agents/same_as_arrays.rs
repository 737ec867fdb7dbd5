//! Each model beside the same model on arrays: the same end, bit for bit; and the same hash on each
//! number of threads, in debug and in release.

use std::cell::Cell;

use ecs::prelude::*;
use ecs::schedule::Parallelism;
use ecs_agents::prelude::Grid;

use crate::models;
use crate::pairs::{Compare, End, Side, each_pair};

/// Runs the small sizes.
struct Ends {
    /// The number of pairs that were compared.
    compared: Cell<u32>,
}

fn end<M>(side: &Side<impl Fn(u64) -> M, impl Fn(&mut M), impl Fn(&M) -> End>, seed: u64, steps: u32) -> End {
    let mut model = (side.new)(seed);
    (0..steps).for_each(|_| (side.step)(&mut model));
    (side.end)(&model)
}

impl Compare for Ends {
    fn wants(&self, name: &str) -> bool {
        !name.ends_with("large")
    }

    fn pair<W, A>(
        &self,
        name: &str,
        is_same: bool,
        steps: u32,
        world: Side<impl Fn(u64) -> W, impl Fn(&mut W), impl Fn(&W) -> End>,
        arrays: Side<impl Fn(u64) -> A, impl Fn(&mut A), impl Fn(&A) -> End>,
    ) {
        self.compared.update(|number| number + 1);
        let (mut of_worlds, mut of_arrays) = (0, 0);
        for seed in if is_same { 1..4 } else { 0..10 } {
            let (a, b) = (end(&world, seed, steps), end(&arrays, seed, steps));
            assert!(!is_same || a == b, "{name}: seed {seed} has two ends");
            // the bits of points do not fit into a sum
            of_worlds += if is_same { 0 } else { a.iter().sum::<u64>() };
            of_arrays += if is_same { 0 } else { b.iter().sum::<u64>() };
        }
        let part = of_worlds as f64 / of_arrays as f64;
        assert!(
            is_same || (0.95..1.05).contains(&part),
            "{name}: {of_worlds} in worlds, {of_arrays} in arrays"
        );
    }
}

#[test]
fn each_model_has_the_end_that_it_has_on_arrays() {
    let ends = Ends { compared: Cell::new(0) };
    each_pair(&ends);
    assert_eq!(ends.compared.get(), if cfg!(feature = "network") { 9 } else { 8 });
}

#[test]
fn life_goes_on_where_a_cell_is_its_own_neighbour() {
    for width in [1, 2] {
        let mut life = models::life::life(3, Grid::torus(width, width));
        (0..30).for_each(|_| life.step());
    }
}

/// Asserts the hash of a world after 30 steps: a constant, since debug and release builds and all
/// machines have the same. The world runs on one, two, four and eight threads.
fn has_hash<W: World>(expected: u64, new: impl Fn() -> W + Sync, step: fn(&mut W), hash: fn(&W) -> u64) {
    for threads in [1, 2, 4, 8] {
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
    has_hash(0x2af4_73de_ef0f_08a7, || land(1, Grid::bounded(30, 30), 200), Land::step, Land::hash);
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
