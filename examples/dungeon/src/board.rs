//! The board: an index from cells to entities.
//!
//! The board is derived from the positions: [`survey`](crate::system::survey()) builds it at the
//! beginning of a turn, and every system that moves an entity updates it. So it is not saved.

use ecs::prelude::*;
use ecs_mechanics::sight::{self, Opacity};

use crate::grid::Grid;
use crate::level::{Level, Terrain};
use crate::point::Point;

/// The content of a cell besides its terrain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    /// The solid entity in the cell.
    pub body: Option<Entity>,
    pub barrier: Barrier,
    /// Whether it hides what is behind it, as rock and walls do.
    pub opaque: bool,
}

/// The kinds of doors in the way of a walker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Barrier {
    #[default]
    None,
    /// A closed door.
    Closed,
    /// A locked door.
    Locked,
}

/// Every cell of the level.
#[derive(Resource, Clone, Debug, Default)]
#[resource(skip, hidden)]
pub struct Board(Grid<Cell>);

impl Board {
    /// Empties all cells, and takes the size and the walls of `level`.
    pub fn reset(&mut self, level: &Level) {
        self.0.reset(&level.0, Cell::default());
        for (at, _) in level.0.iter().filter(|(_, terrain)| **terrain != Terrain::Floor) {
            self.set(at, Cell { opaque: true, ..Cell::default() });
        }
    }

    pub fn cell(&self, at: Point) -> Cell {
        self.0.get(at).copied().unwrap_or_default()
    }

    pub fn set(&mut self, at: Point, cell: Cell) {
        self.0.set(at, cell);
    }

    /// Moves the entity at `from` to `to`.
    pub fn walk(&mut self, from: Point, to: Point) {
        let cell = self.cell(from);
        self.set(from, Cell::default());
        self.set(to, cell);
    }
}

impl Opacity for Board {
    fn size(&self) -> (u32, u32) {
        (self.0.width().unsigned_abs(), self.0.height().unsigned_abs())
    }

    fn is_opaque(&self, at: sight::Cell) -> bool {
        self.cell(Point::new(at.x, at.y)).opaque
    }
}
