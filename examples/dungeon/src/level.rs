//! The terrain of the dungeon, which never changes.

use ecs::prelude::*;

use crate::grid::Grid;
use crate::point::Point;

/// The terrain of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Reflect)]
pub enum Terrain {
    /// Solid, and never seen.
    #[default]
    Rock,
    Wall,
    Floor,
}

/// The terrain of the whole level. Outside is rock.
#[derive(Resource, Clone, Debug, Reflect)]
pub struct Level(pub Grid<Terrain>);

impl Level {
    pub fn terrain(&self, at: Point) -> Terrain {
        self.0.get(at).copied().unwrap_or_default()
    }

    pub fn is_floor(&self, at: Point) -> bool {
        self.terrain(at) == Terrain::Floor
    }
}
