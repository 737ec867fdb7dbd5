//! Grids of cells: their shape, the neighbours of a cell, and values of all cells.
//!
//! A [`Grid`] is a shape and holds no agents. The agents that are in a cell are kept by the
//! components of the module [`cells`](crate::cells), and numbers of places, such as the grass of a
//! meadow, by a [`Layer`].

use std::iter;
use std::ops::{Index, IndexMut, RangeInclusive};

use ecs::prelude::*;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use crate::cells::{Cell, CellIndex};

/// The shape of a grid of cells: its size, and whether it is a torus, of which each edge continues
/// at the opposite one. A value, and a resource.
///
/// ```
/// use ecs_agents::prelude::*;
///
/// let torus = Grid::torus(4, 3);
/// assert_eq!(torus.step(Cell { x: 0, y: 0 }, -1, 0), Some(Cell { x: 3, y: 0 }));
/// assert_eq!(torus.moore(Cell { x: 0, y: 0 }, 1).count(), 8);
/// let bounded = Grid::bounded(4, 3);
/// assert_eq!(bounded.step(Cell { x: 0, y: 0 }, -1, 0), None);
/// assert_eq!(bounded.moore(Cell { x: 0, y: 0 }, 1).count(), 3);
/// ```
#[derive(Resource, Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(try_from = "SavedGrid")]
pub struct Grid {
    width: u32,
    height: u32,
    torus: bool,
}

/// A grid of a file, whose size was not checked.
#[derive(Deserialize)]
struct SavedGrid {
    width: u32,
    height: u32,
    torus: bool,
}

impl TryFrom<SavedGrid> for Grid {
    type Error = &'static str;
    fn try_from(saved: SavedGrid) -> Result<Self, Self::Error> {
        Grid::checked(saved.width, saved.height, saved.torus).ok_or(WRONG_SIZE)
    }
}

const WRONG_SIZE: &str = "a grid has 1 to 65,536 cells in each direction";

impl Grid {
    /// A grid that continues at the opposite edge.
    ///
    /// # Panics
    /// If it has no cell, or more than [`Cell::END`] in one direction.
    #[must_use]
    pub fn torus(width: u32, height: u32) -> Self {
        Self::checked(width, height, true).expect(WRONG_SIZE)
    }

    /// A grid that ends at its edges.
    ///
    /// # Panics
    /// If it has no cell, or more than [`Cell::END`] in one direction.
    #[must_use]
    pub fn bounded(width: u32, height: u32) -> Self {
        Self::checked(width, height, false).expect(WRONG_SIZE)
    }

    fn checked(width: u32, height: u32, torus: bool) -> Option<Self> {
        let fits = |size| (1..=Cell::END).contains(&size);
        (fits(width) && fits(height)).then_some(Self { width, height, torus })
    }

    /// The number of cells in a row.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The number of rows.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.height
    }

    /// The number of cells.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a grid has a cell")]
    pub fn len(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Whether the cell is one of the grid.
    #[must_use]
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        cell.x < self.width && cell.y < self.height
    }

    /// Panics if the cell is not one of the grid.
    #[inline]
    fn check(&self, cell: Cell) {
        if !self.contains(cell) {
            self.not_a_cell(cell);
        }
    }

    #[cold]
    #[inline(never)]
    fn not_a_cell(&self, cell: Cell) -> ! {
        panic!("cell {cell} is not one of a grid of {} times {}", self.width, self.height);
    }

    /// The number of a cell, row by row, from 0.
    ///
    /// # Panics
    /// If the cell is not one of the grid.
    #[must_use]
    #[inline]
    pub fn index(&self, cell: Cell) -> usize {
        self.check(cell);
        cell.y as usize * self.width as usize + cell.x as usize
    }

    /// All cells, row by row.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + Clone + use<> {
        let width = self.width;
        (0..self.height).flat_map(move |y| (0..width).map(move |x| Cell { x, y }))
    }

    /// The cell that is `dx` columns and `dy` rows away; `None` beyond an edge that the grid has.
    ///
    /// # Panics
    /// If `cell` is not one of the grid.
    #[must_use]
    #[inline]
    pub fn step(&self, cell: Cell, dx: i32, dy: i32) -> Option<Cell> {
        self.check(cell);
        let along = |from: u32, by: i32, size: u32| {
            // a sum below 0 is far above every size
            let to = from.wrapping_add_signed(by);
            let turned = || (i64::from(from) + i64::from(by)).rem_euclid(i64::from(size)) as u32;
            if to < size { Some(to) } else { self.torus.then(turned) }
        };
        Some(Cell { x: along(cell.x, dx, self.width)?, y: along(cell.y, dy, self.height)? })
    }

    /// The cells at most `radius` columns and rows away, without `cell`: Moore's neighbourhood. Row
    /// by row, each of them once, also where the radius reaches around a small torus.
    ///
    /// # Panics
    /// If `cell` is not one of the grid.
    #[inline]
    pub fn moore(&self, cell: Cell, radius: u32) -> impl Iterator<Item = Cell> + Clone + use<> {
        self.around(cell, radius, |_, _| true)
    }

    /// The cells at most `radius` steps away, without `cell`, where a step leads to the next column
    /// or to the next row: von Neumann's neighbourhood. Row by row, each of them once.
    ///
    /// # Panics
    /// If `cell` is not one of the grid.
    #[inline]
    pub fn von_neumann(&self, cell: Cell, radius: u32) -> impl Iterator<Item = Cell> + Clone + use<> {
        if radius == 1 {
            return VonNeumann::Next { cells: self.next_cells(cell), at: 0 };
        }
        let near = move |dx: i32, dy: i32| dx.unsigned_abs() + dy.unsigned_abs() <= radius;
        VonNeumann::Around(self.around(cell, radius, near))
    }

    /// The cells one step away, each of them once: above, left, right, below.
    #[inline]
    fn next_cells(&self, cell: Cell) -> [Option<Cell>; 4] {
        self.check(cell);
        let &Self { width, height, torus } = self;
        // on a torus of one or two cells, both ways lead to one cell, or to the cell itself
        let [left, right] = beside(cell.x, width, torus);
        let [above, below] = beside(cell.y, height, torus);
        let (row, column) = (|x| Cell { x, y: cell.y }, |y| Cell { x: cell.x, y });
        [above.map(column), left.map(row), right.map(row), below.map(column)]
    }

    /// The cells at most `radius` steps away, without `cell`, where cells are hexagons: each has
    /// six neighbours. Odd rows are half a cell to the right of even ones. Row by row, each of them
    /// once.
    ///
    /// # Panics
    /// If `cell` is not one of the grid, or the grid is a torus with an odd number of rows, whose
    /// last row does not fit to the first one.
    #[inline]
    pub fn hexagonal(&self, cell: Cell, radius: u32) -> impl Iterator<Item = Cell> + Clone + use<> {
        let (odd, turn) = ((cell.y % 2) as i32, if self.torus { self.width as i32 } else { 0 });
        assert!(turn == 0 || self.height.is_multiple_of(2), "a torus of hexagons has an even number of rows");
        self.around(cell, radius, move |dx, dy| {
            // on slanted columns, each half a cell to the right of the one above, a step changes
            // one of three coordinates, or none
            let slanted = dx - (odd + dy).div_euclid(2);
            let steps = |dx: i32| dy.unsigned_abs().max(dx.unsigned_abs()).max((dx + dy).unsigned_abs());
            steps(slanted).min(steps(slanted - turn)).min(steps(slanted + turn)) <= radius
        })
    }

    /// The other cells of a square around a cell for which `near` holds.
    #[inline]
    fn around<F: Fn(i32, i32) -> bool + Clone>(&self, cell: Cell, radius: u32, near: F) -> Around<F> {
        self.check(cell);
        let &Self { width, height, .. } = self;
        let span = |from, size| span(from, size, radius, self.torus);
        let (columns, rows) = (span(cell.x, width), span(cell.y, height));
        let from = Cell { x: wrap(cell.x, *columns.start(), width), y: wrap(cell.y, *rows.start(), height) };
        let (dx, dy) = (*columns.start(), *rows.start());
        Around {
            width,
            height,
            left: (from.x, dx),
            last: (*columns.end(), *rows.end()),
            cell: from,
            dx,
            dy,
            near,
        }
    }

    /// One of the cells of [`moore`](Self::moore), each with the same probability; `None` if there is
    /// none. One draw, whatever the radius.
    ///
    /// # Panics
    /// If `cell` is not one of the grid.
    #[must_use]
    #[inline]
    pub fn random_moore(&self, cell: Cell, radius: u32, random: &mut impl Rng) -> Option<Cell> {
        self.check(cell);
        let span = |from, size| span(from, size, radius, self.torus);
        let (columns, rows) = (span(cell.x, self.width), span(cell.y, self.height));
        let length = |span: &RangeInclusive<i32>| (span.end() - span.start() + 1) as u64;
        let row = length(&columns) as u32;
        // the number of a grid's cells is 2^32 at most, and without one of them it is a `u32`
        let others = (length(&columns) * length(&rows) - 1) as u32;
        if others == 0 {
            return None;
        }
        let own = rows.start().unsigned_abs() * row + columns.start().unsigned_abs();
        let drawn = random.random_range(0..others);
        let place = if drawn < own { drawn } else { drawn + 1 };
        let (dx, dy) = (columns.start() + (place % row) as i32, rows.start() + (place / row) as i32);
        Some(Cell { x: wrap(cell.x, dx, self.width), y: wrap(cell.y, dy, self.height) })
    }

    /// A cell, each with the same probability.
    #[must_use]
    #[inline]
    pub fn random(&self, random: &mut impl Rng) -> Cell {
        Cell { x: random.random_range(0..self.width), y: random.random_range(0..self.height) }
    }

    /// A cell without agents, each with the same probability; `None` if there is none.
    ///
    /// # Cost
    /// That of a few draws; where nearly all cells have agents, that of a walk through all cells.
    #[must_use]
    pub fn random_empty(&self, agents: &CellIndex, random: &mut impl Rng) -> Option<Cell> {
        self.random_where(random, |cell| agents.is_empty_at(cell))
    }

    /// A cell that passes a test, each with the same probability; `None` if there is none.
    #[inline]
    fn random_where(&self, random: &mut impl Rng, is_one: impl Fn(Cell) -> bool) -> Option<Cell> {
        const TRIALS: usize = 64;
        let mut drawn = iter::repeat_with(|| self.random(random)).take(TRIALS);
        drawn.find(|&cell| is_one(cell)).or_else(|| {
            let all = || self.cells().filter(|&cell| is_one(cell));
            let number = all().count();
            (number > 0).then(|| random.random_range(0..number)).and_then(|chosen| all().nth(chosen))
        })
    }
}

/// The cells of a square, row by row, without its middle, and for which `near` holds. A loop over
/// two counters, since chains of ranges are several times as slow.
#[derive(Clone)]
struct Around<F> {
    /// The size of the grid.
    width: u32,
    height: u32,
    /// The first column, and its difference to the middle.
    left: (u32, i32),
    /// The differences of the last column and of the last row.
    last: (i32, i32),
    /// The cell that comes next, and its differences.
    cell: Cell,
    dx: i32,
    dy: i32,
    near: F,
}

impl<F: Fn(i32, i32) -> bool> Iterator for Around<F> {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        while self.dy <= self.last.1 {
            let (cell, dx, dy) = (self.cell, self.dx, self.dy);
            if dx < self.last.0 {
                self.dx += 1;
                self.cell.x = after(cell.x, self.width);
            } else {
                (self.cell.x, self.dx) = self.left;
                self.dy += 1;
                self.cell.y = after(cell.y, self.height);
            }
            if (dx, dy) != (0, 0) && (self.near)(dx, dy) {
                return Some(cell);
            }
        }
        None
    }

    #[inline]
    fn fold<A, G: FnMut(A, Cell) -> A>(self, start: A, mut f: G) -> A {
        let Self { width, height, left, last, mut cell, mut dx, mut dy, near } = self;
        let mut folded = start;
        while dy <= last.1 {
            while dx <= last.0 {
                if (dx, dy) != (0, 0) && near(dx, dy) {
                    folded = f(folded, cell);
                }
                dx += 1;
                cell.x = after(cell.x, width);
            }
            (cell.x, dx) = left;
            dy += 1;
            cell.y = after(cell.y, height);
        }
        folded
    }
}

/// The cells of [`Grid::von_neumann`]: of a radius of 1, four cells at most, as fast as if they were
/// written one by one.
#[derive(Clone)]
enum VonNeumann<F> {
    Next { cells: [Option<Cell>; 4], at: usize },
    Around(Around<F>),
}

impl<F: Fn(i32, i32) -> bool> Iterator for VonNeumann<F> {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        match self {
            Self::Next { cells, at } => {
                while let Some(cell) = cells.get(*at) {
                    *at += 1;
                    if cell.is_some() {
                        return *cell;
                    }
                }
                None
            }
            Self::Around(cells) => cells.next(),
        }
    }

    #[inline]
    fn fold<A, G: FnMut(A, Cell) -> A>(self, start: A, f: G) -> A {
        match self {
            Self::Next { cells, at } => cells.into_iter().skip(at).flatten().fold(start, f),
            Self::Around(cells) => cells.fold(start, f),
        }
    }
}

/// The columns, or rows, before and after one, each of them once and without the one itself.
#[inline]
fn beside(at: u32, size: u32, torus: bool) -> [Option<u32>; 2] {
    if torus {
        // the same cells as those of `span`: of two, the one after it
        let before = if at == 0 { size - 1 } else { at - 1 };
        [(size > 2).then_some(before), (size > 1).then_some(after(at, size))]
    } else {
        [at.checked_sub(1), Some(at + 1).filter(|&next| next < size)]
    }
}

/// The differences to the columns, or rows, within the radius, each of them once.
#[inline]
pub(crate) fn span(from: u32, size: u32, radius: u32, torus: bool) -> RangeInclusive<i32> {
    // at most a turn, and 65,536 fits into an `i32`
    let (from, size, radius) = (from as i32, size as i32, radius.min(size) as i32);
    if torus {
        (-radius).max(-((size - 1) / 2))..=radius.min(size / 2)
    } else {
        (-radius).max(-from)..=radius.min(size - 1 - from)
    }
}

/// The column or row after this one, around the edge of a torus.
#[inline]
fn after(place: u32, size: u32) -> u32 {
    if place + 1 == size { 0 } else { place + 1 }
}

/// `from + by`, where the sum is at most one turn beyond an edge.
#[inline]
pub(crate) fn wrap(from: u32, by: i32, size: u32) -> u32 {
    let to = from as i32 + by;
    let to = if to < 0 { to + size as i32 } else { to };
    (if to >= size as i32 { to - size as i32 } else { to }) as u32
}

/// A value for each cell of a grid, such as the grass of a meadow or the state of a cellular
/// automaton. A value, and a resource.
///
/// What is true of a place belongs into a layer, and what acts is an agent: a layer of one byte
/// costs one byte for each cell, and an entity with a component of one byte needs a look-up.
///
/// ```
/// use ecs_agents::prelude::*;
///
/// // Conway's game of life
/// let mut life = Layer::new(Grid::torus(8, 8), false);
/// for (x, y) in [(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)] {
///     life[Cell { x, y }] = true;
/// }
/// for _ in 0..4 {
///     life.update_moore(|alive, near| {
///         let near = near.iter().filter(|&&alive| alive).count();
///         near == 3 || near == 2 && alive
///     });
/// }
/// assert!(life[Cell { x: 2, y: 1 }], "the glider has moved by one row and one column");
/// ```
#[derive(Resource, Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(try_from = "SavedLayer<T>", bound = "T: Serialize + serde::de::DeserializeOwned")]
pub struct Layer<T: Send + Sync + 'static> {
    grid: Grid,
    values: Vec<T>,
}

/// A value for each cell, row by row: loops, since chains of ranges have no known length.
#[inline]
fn values<T>(grid: Grid, mut f: impl FnMut(Cell) -> T) -> Vec<T> {
    let mut values = Vec::with_capacity(grid.len());
    for y in 0..grid.height {
        values.extend((0..grid.width).map(|x| f(Cell { x, y })));
    }
    values
}

/// A layer of a file, whose number of values was not checked.
#[derive(Deserialize)]
struct SavedLayer<T> {
    grid: Grid,
    values: Vec<T>,
}

impl<T: Send + Sync + 'static> TryFrom<SavedLayer<T>> for Layer<T> {
    type Error = &'static str;
    fn try_from(SavedLayer { grid, values }: SavedLayer<T>) -> Result<Self, Self::Error> {
        if grid.len() == values.len() {
            Ok(Self { grid, values })
        } else {
            Err("a layer has a value for each cell")
        }
    }
}

impl<T: Send + Sync + 'static> Layer<T> {
    /// A layer with this value in each cell.
    #[must_use]
    pub fn new(grid: Grid, value: T) -> Self
    where
        T: Clone,
    {
        Self { grid, values: vec![value; grid.len()] }
    }

    /// A layer with the value that the function returns for each cell, row by row.
    #[must_use]
    pub fn from_fn(grid: Grid, f: impl FnMut(Cell) -> T) -> Self {
        Self { grid, values: values(grid, f) }
    }

    /// The grid.
    #[must_use]
    #[inline]
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The values, row by row.
    #[must_use]
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The values, row by row.
    #[must_use]
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// The cells with their values, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, &T)> {
        self.grid.cells().zip(&self.values)
    }

    /// A cell whose value passes a test, each with the same probability; `None` if there is none.
    ///
    /// ```
    /// use ecs_agents::prelude::*;
    ///
    /// let mut taken = Layer::new(Grid::torus(10, 10), false);
    /// let home = taken.random_where(&mut Random::new(1), |taken| !taken).unwrap();
    /// taken[home] = true;
    /// ```
    ///
    /// # Cost
    /// As [`Grid::random_empty`].
    #[must_use]
    pub fn random_where(&self, random: &mut impl Rng, is_one: impl Fn(&T) -> bool) -> Option<Cell> {
        self.grid.random_where(random, |cell| is_one(&self[cell]))
    }

    /// Gives all cells new values at once: the function sees the layer as it was.
    ///
    /// If it panics, the layer is unchanged.
    pub fn update(&mut self, mut f: impl FnMut(&Self, Cell) -> T) {
        self.values = values(self.grid, |cell| f(self, cell));
    }
}

impl<T: Copy + Send + Sync + 'static> Layer<T> {
    /// Gives all cells new values at once, from the value of the cell and those of its neighbours of
    /// [`Grid::moore`], in the same order. As fast as a loop over an array.
    ///
    /// If it panics, the layer is unchanged.
    pub fn update_moore(&mut self, f: impl FnMut(T, &[T]) -> T) {
        let inside = |a: [T; 3], h: [T; 3], b: [T; 3]| [a[0], a[1], a[2], h[0], h[2], b[0], b[1], b[2]];
        self.update_near(inside, |grid, cell| grid.moore(cell, 1), f);
    }

    /// Gives all cells new values at once, from the value of the cell and those of its neighbours of
    /// [`Grid::von_neumann`], in the same order. As fast as a loop over an array.
    ///
    /// If it panics, the layer is unchanged.
    pub fn update_von_neumann(&mut self, f: impl FnMut(T, &[T]) -> T) {
        let inside = |a: [T; 3], h: [T; 3], b: [T; 3]| [a[1], h[0], h[2], b[1]];
        self.update_near(inside, |grid, cell| grid.von_neumann(cell, 1), f);
    }

    /// Cells with a neighbour in each direction have `N` neighbours, which `inside` takes from the
    /// row above, the own row and the row below; the others have those that `near` lists.
    #[inline]
    fn update_near<const N: usize, I: Iterator<Item = Cell>>(
        &mut self,
        inside: impl Fn([T; 3], [T; 3], [T; 3]) -> [T; N],
        near: impl Fn(&Grid, Cell) -> I,
        mut f: impl FnMut(T, &[T]) -> T,
    ) {
        let Self { grid, values } = &*self;
        let (width, height) = (grid.width as usize, grid.height as usize);
        let row = |y: usize| &values[y * width..][..width];
        let mut next = Vec::with_capacity(values.len());
        let edge = |x: usize, y: usize, f: &mut dyn FnMut(T, &[T]) -> T| {
            let (cell, mut number) = (Cell { x: x as u32, y: y as u32 }, 0);
            let here = values[y * width + x];
            let mut list = [here; N];
            for near in near(grid, cell) {
                list[number] = values[near.y as usize * width + near.x as usize];
                number += 1;
            }
            f(here, &list[..number])
        };
        for y in 0..height {
            let has_rows = height >= 3 && (grid.torus || y > 0 && y + 1 < height);
            if !has_rows || width < 3 {
                next.extend((0..width).map(|x| edge(x, y, &mut f)));
                continue;
            }
            next.push(edge(0, y, &mut f));
            let rows = [(y + height - 1) % height, y, (y + 1) % height].map(|y| row(y).array_windows());
            let [above, here, below] = rows;
            next.extend(above.zip(here).zip(below).map(|((a, h), b)| f(h[1], &inside(*a, *h, *b))));
            next.push(edge(width - 1, y, &mut f));
        }
        self.values = next;
    }
}

impl Layer<f64> {
    /// Each cell gives away this part of its value, in equal shares to its `moore` neighbours. The
    /// sum stays: what a cell at an edge has no neighbour for, it keeps.
    ///
    /// # Panics
    /// If `part` is not in `0.0..=1.0`.
    pub fn diffuse(&mut self, part: f64) {
        assert!((0.0..=1.0).contains(&part), "the part that diffuses is {part}, not in 0.0..=1.0");
        let share = part / 8.0;
        self.update_moore(|old, near| {
            let sum = near.iter().fold(0.0, |sum, near| sum + near);
            old * (1.0 - share * near.len() as f64) + share * sum
        });
    }
}

impl<T: Send + Sync + 'static> Index<Cell> for Layer<T> {
    type Output = T;
    /// # Panics
    /// If the cell is not one of the grid.
    #[inline]
    fn index(&self, cell: Cell) -> &T {
        &self.values[self.grid.index(cell)]
    }
}

impl<T: Send + Sync + 'static> IndexMut<Cell> for Layer<T> {
    #[inline]
    fn index_mut(&mut self, cell: Cell) -> &mut T {
        &mut self.values[self.grid.index(cell)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_cells_have_the_order_of_all_others() {
        let sizes = (1..5).flat_map(|width| (1..5).map(move |height| (width, height)));
        for grid in sizes.flat_map(|(x, y)| [Grid::torus(x, y), Grid::bounded(x, y)]) {
            for cell in grid.cells() {
                let near = |dx: i32, dy: i32| dx.abs() + dy.abs() <= 1;
                let expected: Vec<Cell> = grid.around(cell, 1, near).collect();
                assert_eq!(grid.von_neumann(cell, 1).collect::<Vec<_>>(), expected, "{cell} of {grid:?}");
            }
        }
    }
}
