//! Who stands where: the index from cells to entities.
//!
//! Positions are the truth; [`survey`](crate::system::survey()) sets the board up from them at the beginning of a turn,
//! and every system that moves something moves it here too. So it is not saved.

use ecs::prelude::*;

use crate::grid::Grid;
use crate::level::Level;
use crate::point::Point;

/// What a cell holds besides terrain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    /// Who or what stands there.
    pub body: Option<Entity>,
    pub barrier: Barrier,
    /// Whether it hides what is behind it.
    pub opaque: bool,
}

/// How a walker gets through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Barrier {
    #[default]
    None,
    /// A closed door.
    Closed,
    /// A locked one.
    Locked,
}

/// Every cell of the level.
#[derive(Resource, Clone, Debug, Default)]
#[resource(skip)]
pub struct Board(Grid<Cell>);

impl Board {
    /// Empties all cells, and takes the size of `level`.
    pub fn reset(&mut self, level: &Level) {
        self.0.reset(&level.0, Cell::default());
    }

    pub fn cell(&self, at: Point) -> Cell {
        self.0.get(at).copied().unwrap_or_default()
    }

    pub fn set(&mut self, at: Point, cell: Cell) {
        self.0.set(at, cell);
    }

    /// Moves whoever stands on `from` to `to`.
    pub fn walk(&mut self, from: Point, to: Point) {
        let cell = self.cell(from);
        self.set(from, Cell::default());
        self.set(to, cell);
    }
}
