//! Grids of three dimensions.
//!
//! A [`Grid3`] is a stack of levels. Its cells are those of a [`Grid`] on which the levels lie one
//! below the other, so that all that knows of cells works in three dimensions: the components
//! [`Cell`] and [`SingleCell`](crate::cells::SingleCell), a [`Layer`](crate::grid::Layer), and
//! [`random_empty`](Grid::random_empty).
//!
//! ```
//! use ecs_agents::prelude::*;
//!
//! let space = Grid3::bounded(20, 20, 10);
//! let cell = space.cell([3, 4, 9]);
//! assert_eq!(space.coordinates(cell), [3, 4, 9]);
//! assert_eq!(space.moore(cell, 1).count(), 17, "there is no level above");
//! let mut heat = Layer::new(space.levels(), 0.0);
//! heat[cell] = 1.0;
//! ```

use ecs::prelude::*;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use crate::cells::Cell;
use crate::grid::{Grid, span, wrap};

/// The shape of a grid of three dimensions: its size, and whether it is a torus. A value, and a
/// resource.
#[derive(Resource, Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(try_from = "SavedGrid3")]
pub struct Grid3 {
    size: [u32; 3],
    torus: bool,
}

/// A grid of a file, whose size was not checked.
#[derive(Deserialize)]
struct SavedGrid3 {
    size: [u32; 3],
    torus: bool,
}

impl TryFrom<SavedGrid3> for Grid3 {
    type Error = &'static str;
    fn try_from(saved: SavedGrid3) -> Result<Self, Self::Error> {
        Grid3::checked(saved.size, saved.torus).ok_or(WRONG_SIZE)
    }
}

const WRONG_SIZE: &str =
    "a grid of three dimensions has 1 to 65,536 columns, and 1 to 65,536 rows on all levels together";

impl Grid3 {
    /// A grid of so many columns, rows and levels that continues at the opposite side.
    ///
    /// # Panics
    /// If it has no cell, or more than [`Cell::END`] columns, or more rows on all levels together.
    #[must_use]
    pub fn torus(width: u32, height: u32, depth: u32) -> Self {
        Self::checked([width, height, depth], true).expect(WRONG_SIZE)
    }

    /// A grid of so many columns, rows and levels that ends at its sides.
    ///
    /// # Panics
    /// If it has no cell, or more than [`Cell::END`] columns, or more rows on all levels together.
    #[must_use]
    pub fn bounded(width: u32, height: u32, depth: u32) -> Self {
        Self::checked([width, height, depth], false).expect(WRONG_SIZE)
    }

    fn checked(size: [u32; 3], torus: bool) -> Option<Self> {
        let rows = size[1].checked_mul(size[2])?;
        let fits = |size| (1..=Cell::END).contains(&size);
        (fits(size[0]) && fits(rows)).then_some(Self { size, torus })
    }

    /// The numbers of columns, rows of a level, and levels.
    #[must_use]
    pub fn size(&self) -> [u32; 3] {
        self.size
    }

    /// The grid on which the levels lie one below the other. It has the cells of this grid; its
    /// neighbourhoods are not those of this grid.
    #[must_use]
    pub fn levels(&self) -> Grid {
        Grid::bounded(self.size[0], self.size[1] * self.size[2])
    }

    /// The cell at a column, a row and a level.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    #[inline]
    pub fn cell(&self, coordinates: [u32; 3]) -> Cell {
        let fits = (0..3).all(|i| coordinates[i] < self.size[i]);
        assert!(fits, "{coordinates:?} is not a cell of a grid of {:?}", self.size);
        self.at(coordinates)
    }

    #[inline]
    fn at(&self, [x, y, z]: [u32; 3]) -> Cell {
        Cell { x, y: z * self.size[1] + y }
    }

    /// The column, the row and the level of a cell.
    ///
    /// # Panics
    /// If the cell is not one of the grid.
    #[must_use]
    #[inline]
    pub fn coordinates(&self, cell: Cell) -> [u32; 3] {
        let coordinates = [cell.x, cell.y % self.size[1], cell.y / self.size[1]];
        let fits = coordinates[0] < self.size[0] && coordinates[2] < self.size[2];
        assert!(fits, "cell {cell} is not one of a grid of {:?}", self.size);
        coordinates
    }

    /// The cell that is so many columns, rows and levels away; `None` beyond a side that the grid
    /// has.
    ///
    /// # Panics
    /// If `cell` is not one of the grid.
    #[must_use]
    pub fn step(&self, cell: Cell, by: [i32; 3]) -> Option<Cell> {
        let mut to = self.coordinates(cell);
        for i in 0..3 {
            let (sum, size) = (i64::from(to[i]) + i64::from(by[i]), i64::from(self.size[i]));
            let inside = (0..size).contains(&sum);
            to[i] = if inside || self.torus { sum.rem_euclid(size) as u32 } else { return None };
        }
        Some(self.at(to))
    }

    /// The cells at most `radius` columns, rows and levels away, without `cell`: Moore's
    /// neighbourhood. Level by level, each of them once.
    ///
    /// # Panics
    /// If `cell` is not one of the grid.
    #[inline]
    pub fn moore(&self, cell: Cell, radius: u32) -> impl Iterator<Item = Cell> + Clone + use<> {
        self.around(cell, radius, |_| true)
    }

    /// The cells at most `radius` steps away, without `cell`, where a step leads to one of six
    /// neighbours: von Neumann's neighbourhood. Level by level, each of them once.
    ///
    /// # Panics
    /// If `cell` is not one of the grid.
    #[inline]
    pub fn von_neumann(&self, cell: Cell, radius: u32) -> impl Iterator<Item = Cell> + Clone + use<> {
        self.around(cell, radius, move |by| by.map(i32::unsigned_abs).iter().sum::<u32>() <= radius)
    }

    /// The other cells of a cube around a cell for which `near` holds.
    #[inline]
    fn around<F: Fn([i32; 3]) -> bool + Clone>(
        self,
        cell: Cell,
        radius: u32,
        near: F,
    ) -> impl Iterator<Item = Cell> + Clone + use<F> {
        let (grid, middle) = (self, self.coordinates(cell));
        let [columns, rows, levels] = [0, 1, 2].map(|i| span(middle[i], self.size[i], radius, self.torus));
        let by = levels.flat_map(move |dz| {
            let columns = columns.clone();
            rows.clone().flat_map(move |dy| columns.clone().map(move |dx| [dx, dy, dz]))
        });
        by.filter(move |&by| by != [0; 3] && near(by))
            .map(move |by| grid.at([0, 1, 2].map(|i| wrap(middle[i], by[i], grid.size[i]))))
    }

    /// A cell, each with the same probability.
    #[must_use]
    pub fn random(&self, random: &mut impl Rng) -> Cell {
        self.at(self.size.map(|size| random.random_range(0..size)))
    }
}
