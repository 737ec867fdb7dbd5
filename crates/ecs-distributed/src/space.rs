//! [`Space`]: the places of a model, and which of them are near to each other.

use serde::{Deserialize, Serialize};

/// The places of a model: the cells of a grid ([`Grid`]), or the nodes of any graph.
///
/// A worker owns a range of numbers of places. The fewer pairs of near places have distant numbers,
/// the less is mirrored.
pub trait Space {
    /// The number of places. They have the numbers 0, 1, ..
    fn places(&self) -> u32;

    /// Calls `f` with each place that is within `reach` of `place`. It may call `f` with `place`
    /// itself, and several times with one place. Nearness is mutual: if `a` is near `b`, then `b`
    /// is near `a`.
    fn near(&self, place: u32, reach: u32, f: &mut dyn FnMut(u32));
}

/// A grid of cells, numbered row by row. The cells within reach `n` of a cell are those at most `n`
/// columns and `n` rows away.
///
/// ```
/// use ecs_distributed::{Grid, Space};
///
/// let grid = Grid::new(4, 3);
/// let mut near = Vec::new();
/// grid.near(grid.cell(0, 1), 1, &mut |place| near.push(place));
/// assert_eq!(near, [0, 1, 4, 5, 8, 9]);
///
/// let torus = grid.wrapping();
/// near.clear();
/// torus.near(torus.cell(0, 0), 1, &mut |place| near.push(place));
/// near.sort();
/// assert_eq!(near, [0, 1, 3, 4, 5, 7, 8, 9, 11]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Grid {
    columns: u32,
    rows: u32,
    wraps: bool,
}

impl Grid {
    /// A grid of a number of columns and rows.
    ///
    /// # Panics
    /// If there are no cells, or 2³² or more.
    pub fn new(columns: u32, rows: u32) -> Self {
        let cells = columns.checked_mul(rows);
        assert!(cells.is_some_and(|cells| cells > 0), "a grid has at least one cell, and fewer than 2^32");
        Self { columns, rows, wraps: false }
    }

    /// The same grid, whose first column is near its last one, and whose first row is near its last
    /// one.
    #[must_use]
    pub fn wrapping(self) -> Self {
        Self { wraps: true, ..self }
    }

    /// The number of columns.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// The number of rows.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The number of the cell in a column and a row.
    #[inline]
    pub fn cell(&self, column: u32, row: u32) -> u32 {
        row * self.columns + column
    }

    /// The indices at most `reach` away from `at` in a line of `length` cells.
    fn line(&self, at: u32, length: u32, reach: u32) -> impl Iterator<Item = u32> + Clone + use<> {
        let (at, length, reach, wraps) = (i64::from(at), i64::from(length), i64::from(reach), self.wraps);
        let (from, to) = match wraps {
            true if 2 * reach + 1 < length => (at - reach, at + reach),
            true => (0, length - 1),
            false => ((at - reach).max(0), (at + reach).min(length - 1)),
        };
        (from..=to).map(move |at| at.rem_euclid(length) as u32)
    }
}

impl Space for Grid {
    fn places(&self) -> u32 {
        self.columns * self.rows
    }

    fn near(&self, place: u32, reach: u32, f: &mut dyn FnMut(u32)) {
        let columns = self.line(place % self.columns, self.columns, reach);
        for row in self.line(place / self.columns, self.rows, reach) {
            for column in columns.clone() {
                f(self.cell(column, row));
            }
        }
    }
}
