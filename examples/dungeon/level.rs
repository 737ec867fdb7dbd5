//! The rock that the dungeon is cut into: what never changes.

use ecs::prelude::*;

use crate::grid::Grid;
use crate::point::Point;

/// What a cell is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Terrain {
    /// Solid, and never seen.
    #[default]
    Rock,
    Wall,
    Floor,
}

/// The terrain of the whole level. Outside is rock.
#[derive(Resource, Clone, Debug)]
pub struct Level(pub Grid<Terrain>);

impl Level {
    pub fn terrain(&self, at: Point) -> Terrain {
        self.0.get(at).copied().unwrap_or_default()
    }

    pub fn is_floor(&self, at: Point) -> bool {
        self.terrain(at) == Terrain::Floor
    }
}

/// The cells that the player has seen.
#[derive(Resource, Clone, Debug)]
pub struct Memory(pub Grid<bool>);

impl Memory {
    pub fn contains(&self, at: Point) -> bool {
        self.0.get(at) == Some(&true)
    }
}
