//! A rectangle of values, one for each cell of a level.

use serde::{Deserialize, Serialize};

use crate::point::Point;

/// Values by cell, row by row. [`Grid::get`] returns `None` outside the rectangle.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "Cells<T>")]
pub struct Grid<T> {
    width: i32,
    cells: Vec<T>,
}

/// The saved form of a grid, which may be inconsistent.
#[derive(Deserialize)]
#[serde(rename = "Grid")]
struct Cells<T> {
    width: i32,
    cells: Vec<T>,
}

impl<T> TryFrom<Cells<T>> for Grid<T> {
    type Error = &'static str;

    fn try_from(Cells { width, cells }: Cells<T>) -> Result<Self, Self::Error> {
        let is_whole = match usize::try_from(width) {
            Ok(0) | Err(_) => cells.is_empty(),
            Ok(width) => cells.len().is_multiple_of(width),
        };
        if is_whole {
            Ok(Self { width, cells })
        } else {
            Err("the rows of a grid are not all of the same width")
        }
    }
}

impl<T: Clone> Grid<T> {
    /// A grid of `width` times `height` equal values.
    pub fn new(width: i32, height: i32, value: T) -> Self {
        let count = usize::try_from(width * height).unwrap_or(0);
        Self { width, cells: vec![value; count] }
    }

    /// Overwrites every cell, and takes the size of `like`.
    pub fn reset<U>(&mut self, like: &Grid<U>, value: T) {
        self.width = like.width;
        self.cells.clear();
        self.cells.resize(like.cells.len(), value);
    }
}

impl<T> Grid<T> {
    pub fn width(&self) -> i32 {
        self.width
    }

    pub fn height(&self) -> i32 {
        if self.width == 0 { 0 } else { self.cells.len() as i32 / self.width }
    }

    pub fn get(&self, at: Point) -> Option<&T> {
        self.index(at).map(|index| &self.cells[index])
    }

    pub fn get_mut(&mut self, at: Point) -> Option<&mut T> {
        self.index(at).map(|index| &mut self.cells[index])
    }

    /// Overwrites one cell; outside the grid nothing happens.
    pub fn set(&mut self, at: Point, value: T) {
        if let Some(cell) = self.get_mut(at) {
            *cell = value;
        }
    }

    /// Every cell with its position, row by row.
    pub fn iter(&self) -> impl Iterator<Item = (Point, &T)> {
        let place = |index: usize| Point::new(index as i32 % self.width, index as i32 / self.width);
        self.cells.iter().enumerate().map(move |(index, cell)| (place(index), cell))
    }

    fn index(&self, at: Point) -> Option<usize> {
        let inside = (0..self.width).contains(&at.x) && (0..self.height()).contains(&at.y);
        inside.then(|| (at.y * self.width + at.x) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_outside_do_not_exist() {
        let grid = Grid::new(3, 2, 'x');
        assert_eq!(grid.get(Point::new(2, 1)), Some(&'x'));
        for outside in [Point::new(3, 0), Point::new(0, 2), Point::new(-1, 1)] {
            assert_eq!(grid.get(outside), None);
        }
    }

    #[test]
    fn cells_come_row_after_row() {
        let mut grid = Grid::new(2, 2, 0);
        grid.set(Point::new(1, 0), 7);
        let places: Vec<_> = grid.iter().map(|(at, value)| (at.x, at.y, *value)).collect();
        assert_eq!(places, [(0, 0, 0), (1, 0, 7), (0, 1, 0), (1, 1, 0)]);
    }
}
