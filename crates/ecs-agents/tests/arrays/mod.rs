//! The models of `examples/models` on arrays, written by hand: the same rules and the same random
//! numbers, for tests that compare both and for the benchmark.

pub mod fire;
pub mod flocking;
pub mod flocking_at_once;
pub mod life;
pub mod schelling;
#[cfg(feature = "network")]
pub mod sir;
pub mod sugarscape;
pub mod wolf_sheep;

/// The neighbours of a cell of a torus, row by row.
pub fn moore(width: usize, height: usize, x: usize, y: usize) -> impl Iterator<Item = usize> {
    let (columns, rows) = (around(x, width), around(y, height));
    rows.into_iter()
        .flat_map(move |row| columns.map(move |column| (row, column)))
        .filter(move |&place| place != (y, x))
        .map(move |(y, x)| y * width + x)
}

/// A place of a torus with the places before and after it.
pub fn around(place: usize, size: usize) -> [usize; 3] {
    [if place == 0 { size - 1 } else { place - 1 }, place, if place + 1 == size { 0 } else { place + 1 }]
}
