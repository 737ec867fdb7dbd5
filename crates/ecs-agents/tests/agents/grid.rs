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

/// The six neighbours of a hexagon, by the picture of the rows: odd ones are half a cell to the
/// right.
fn hexagons(grid: Grid, cell: Cell) -> Vec<Cell> {
    let odd = (cell.y % 2) as i32;
    let steps = [(-1, 0), (1, 0), (odd - 1, -1), (odd, -1), (odd - 1, 1), (odd, 1)];
    steps.into_iter().filter_map(|(dx, dy)| grid.step(cell, dx, dy)).collect()
}

#[test]
fn hexagons_are_as_far_as_the_shortest_way_over_neighbours() {
    let tori = [(1, 2), (2, 2), (3, 4), (4, 2), (5, 6), (6, 8)].map(|(w, h)| Grid::torus(w, h));
    let bounded = [(1, 1), (1, 4), (4, 1), (5, 7), (8, 4)].map(|(w, h)| Grid::bounded(w, h));
    for grid in tori.into_iter().chain(bounded) {
        for cell in grid.cells() {
            let (mut reached, mut last) = (vec![cell], vec![cell]);
            for radius in 0..10 {
                let mut found: Vec<Cell> = grid.hexagonal(cell, radius).chain([cell]).collect();
                found.sort_unstable();
                reached.sort_unstable();
                assert_eq!(found, reached, "{grid:?} {cell} {radius}");
                last = last.into_iter().flat_map(|cell| hexagons(grid, cell)).collect();
                last.sort_unstable();
                last.dedup();
                last.retain(|cell| !reached.contains(cell));
                reached.extend(&last);
            }
            assert_eq!(grid.hexagonal(cell, u32::MAX).count(), grid.len() - 1);
        }
    }
}

#[test]
#[should_panic(expected = "a torus of hexagons has an even number of rows")]
fn a_torus_of_hexagons_has_an_even_number_of_rows() {
    _ = Grid::torus(4, 3).hexagonal(Cell { x: 0, y: 0 }, 1);
}

#[test]
fn neighbourhoods_in_three_dimensions_are_those_of_all_pairs() {
    let sizes = [[1, 1, 1], [1, 3, 2], [2, 2, 2], [4, 3, 5]];
    for (size, torus) in sizes.into_iter().flat_map(|size| [(size, true), (size, false)]) {
        let [w, h, d] = size;
        let grid = if torus { Grid3::torus(w, h, d) } else { Grid3::bounded(w, h, d) };
        assert_eq!(grid.levels().len(), (w * h * d) as usize);
        for cell in grid.levels().cells() {
            let here = grid.coordinates(cell);
            assert_eq!(grid.cell(here), cell);
            for radius in [0, 1, 2, 3, u32::MAX] {
                let expected = |near: &dyn Fn([u32; 3]) -> bool| {
                    let away = |other| {
                        let other = grid.coordinates(other);
                        [0, 1, 2].map(|i| along(here[i], other[i], size[i], torus))
                    };
                    let cells = grid.levels().cells().filter(|&other| other != cell && near(away(other)));
                    let mut cells: Vec<Cell> = cells.collect();
                    cells.sort_unstable();
                    cells
                };
                let [mut moore, mut von_neumann]: [Vec<Cell>; 2] =
                    [grid.moore(cell, radius).collect(), grid.von_neumann(cell, radius).collect()];
                moore.sort_unstable();
                von_neumann.sort_unstable();
                let is_within = |sum: u32| sum <= radius;
                assert_eq!(moore, expected(&|by| by.iter().all(|&by| is_within(by))));
                assert_eq!(von_neumann, expected(&|by| is_within(by.iter().sum())));
            }
        }
        let [x, y, z] = size.map(|size| size - 1);
        let corner = grid.cell([x, y, z]);
        assert_eq!(grid.step(corner, [1, 1, 1]), torus.then(|| grid.cell([0, 0, 0])));
        let turned = [3 * w as i32 - x as i32, -(y as i32), -(z as i32) - 7 * d as i32];
        assert_eq!(grid.step(corner, turned), torus.then(|| grid.cell([0, 0, 0])));
    }
}

#[test]
fn a_grid_of_three_dimensions_has_a_size_that_fits_and_a_file_too() {
    let read = |text: &str| serde_json::from_str::<Grid3>(text);
    assert_eq!(read(r#"{"size": [2, 3, 4], "torus": true}"#).unwrap(), Grid3::torus(2, 3, 4));
    for size in ["[0, 1, 1]", "[1, 70000, 1]", "[1, 300, 300]", "[1, 100000, 100000]"] {
        assert!(read(&format!(r#"{{"size": {size}, "torus": true}}"#)).is_err(), "{size}");
    }
    let (mut random, space) = (Random::new(1), Grid3::torus(3, 4, 5));
    let drawn: std::collections::HashSet<Cell> = (0..1000).map(|_| space.random(&mut random)).collect();
    assert_eq!(drawn.len(), 60);
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
