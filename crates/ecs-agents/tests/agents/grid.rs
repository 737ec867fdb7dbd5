//! Neighbourhoods beside a comparison of all pairs of cells.

use ecs_agents::prelude::*;

/// The distance along one direction: the shorter way around a torus.
fn along(a: u32, b: u32, size: u32, torus: bool) -> u32 {
    let straight = a.abs_diff(b);
    if torus { straight.min(size - straight) } else { straight }
}

#[test]
fn neighbourhoods_are_those_of_all_pairs() {
    for (width, height) in [(1, 1), (1, 4), (2, 2), (3, 2), (5, 4), (8, 7)] {
        for (torus, grid) in [(true, Grid::torus(width, height)), (false, Grid::bounded(width, height))] {
            for cell in grid.cells() {
                for radius in [0, 1, 2, 3, 9, u32::MAX] {
                    let away = |other: Cell| {
                        (along(cell.x, other.x, width, torus), along(cell.y, other.y, height, torus))
                    };
                    let expected = |near: &dyn Fn((u32, u32)) -> bool| -> Vec<Cell> {
                        grid.cells().filter(|&other| other != cell && near(away(other))).collect()
                    };
                    let sorted = |cells: Vec<Cell>| {
                        let mut cells = cells;
                        cells.sort_by_key(|cell| (cell.y, cell.x));
                        cells
                    };
                    let moore = grid.moore(cell, radius).collect();
                    assert_eq!(
                        sorted(moore),
                        expected(&|(x, y)| x.max(y) <= radius),
                        "{grid:?} {cell} {radius}"
                    );
                    let von_neumann = grid.von_neumann(cell, radius).collect();
                    assert_eq!(
                        sorted(von_neumann),
                        expected(&|(x, y)| x + y <= radius),
                        "{grid:?} {cell} {radius}"
                    );
                }
            }
        }
    }
}

#[test]
fn steps_wrap_around_a_torus_and_end_at_an_edge() {
    let cell = |x, y| Cell { x, y };
    let torus = Grid::torus(5, 3);
    assert_eq!(torus.step(cell(4, 2), 1, 1), Some(cell(0, 0)));
    assert_eq!(
        torus.step(cell(0, 0), i32::MIN, i32::MAX),
        Some(cell((-2_147_483_648_i64).rem_euclid(5) as u32, 1))
    );
    let bounded = Grid::bounded(5, 3);
    assert_eq!(bounded.step(cell(3, 1), 1, 1), Some(cell(4, 2)));
    assert_eq!(bounded.step(cell(4, 2), 1, 0), None);
    assert_eq!(bounded.step(cell(4, 2), i32::MIN, 0), None);
    assert!(bounded.cells().map(|cell| bounded.index(cell)).eq(0..15));
}

#[test]
#[should_panic(expected = "cell (5, 0) is not one of a grid of 5 times 3")]
fn a_cell_of_another_grid_panics() {
    _ = Layer::new(Grid::bounded(5, 3), 0)[Cell { x: 5, y: 0 }];
}

#[test]
fn diffusion_keeps_the_sum_and_evens_out() {
    for grid in [Grid::torus(9, 5), Grid::bounded(9, 5), Grid::torus(2, 1), Grid::bounded(1, 1)] {
        let mut heat = Layer::new(grid, 0.0);
        heat[Cell { x: 0, y: 0 }] = 100.0;
        for _ in 0..2000 {
            heat.diffuse(0.5);
        }
        let mean = 100.0 / grid.len() as f64;
        assert!((heat.values().iter().sum::<f64>() - 100.0).abs() < 1e-9);
        assert!(heat.values().iter().all(|value| (value - mean).abs() < 1e-6), "{grid:?}");
    }
}

#[test]
fn a_random_neighbour_is_each_of_the_neighbours() {
    let mut random = Random::new(1);
    for (width, height) in [(1, 1), (1, 4), (2, 2), (3, 2), (5, 4)] {
        for grid in [Grid::torus(width, height), Grid::bounded(width, height)] {
            for cell in grid.cells() {
                for radius in [0, 1, 2, u32::MAX] {
                    let mut near: Vec<Cell> = grid.moore(cell, radius).collect();
                    near.sort();
                    let mut drawn: Vec<Cell> =
                        (0..400).filter_map(|_| grid.random_moore(cell, radius, &mut random)).collect();
                    drawn.sort();
                    drawn.dedup();
                    assert_eq!(drawn, near, "{grid:?} {cell} {radius}");
                }
            }
        }
    }
}

#[test]
fn updates_from_neighbours_are_those_of_all_cells() {
    let mut random = Random::new(1);
    for (width, height) in [(1, 1), (1, 4), (2, 2), (3, 2), (3, 3), (5, 4), (4, 9)] {
        for grid in [Grid::torus(width, height), Grid::bounded(width, height)] {
            let layer = Layer::from_fn(grid, |_| random.random_range(0..1000_u64));
            // in order, so that the order counts
            let hash = |here: u64, near: &[u64]| near.iter().fold(here, |hash, value| hash * 31 + value);
            let expected = |near: &dyn Fn(Cell) -> Vec<Cell>| {
                let mut layer = layer.clone();
                layer.update(|layer, cell| {
                    let values: Vec<u64> = near(cell).into_iter().map(|cell| layer[cell]).collect();
                    hash(layer[cell], &values)
                });
                layer
            };
            let (mut moore, mut von_neumann) = (layer.clone(), layer.clone());
            moore.update_moore(hash);
            assert_eq!(moore, expected(&|cell| grid.moore(cell, 1).collect()), "{grid:?}");
            von_neumann.update_von_neumann(hash);
            assert_eq!(von_neumann, expected(&|cell| grid.von_neumann(cell, 1).collect()), "{grid:?}");
        }
    }
}

#[test]
fn folding_neighbours_is_a_loop_over_them() {
    for grid in [Grid::torus(5, 4), Grid::bounded(5, 4)] {
        for cell in grid.cells() {
            let mut neighbours = grid.moore(cell, 2);
            for taken in 0..=neighbours.clone().count() {
                let mut folded = Vec::new();
                neighbours.clone().for_each(|cell| folded.push(cell));
                assert!(folded.into_iter().eq(grid.moore(cell, 2).skip(taken)));
                neighbours.next();
            }
        }
    }
}
