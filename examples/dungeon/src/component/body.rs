//! Components of everything on the level: name, looks, position.

use ecs::prelude::*;
use ecs_mechanics::places::Located;
use ecs_mechanics::sight::Cell;
use serde::{Deserialize, Serialize};

use crate::point::Point;

/// A name, and a description for a viewer nearby.
#[derive(Component, Clone, Debug, Default, Reflect)]
pub struct Meta {
    pub name: String,
    pub about: String,
}

/// The symbol on the map.
#[derive(Component, Clone, Copy, Debug, Reflect)]
pub struct Glyph {
    pub symbol: char,
    pub colour: Colour,
}

impl Default for Glyph {
    fn default() -> Self {
        Self { symbol: '?', colour: Colour::default() }
    }
}

/// The colours that every terminal has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    #[default]
    White,
    Grey,
    Red,
    Green,
    Yellow,
    Blue,
    Magenta,
    Cyan,
}

/// The cell of an entity. An item in a pack has no position.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Reflect)]
pub struct Position(pub Point);

impl Located for Position {
    type Place = Cell;

    fn place(&self) -> Cell {
        self.0.into()
    }
}

/// Blocks its cell: no other solid entity can stand there.
#[derive(Component, Clone, Debug, Default, Reflect)]
pub struct Solid {}

/// Blocks the view.
#[derive(Component, Clone, Debug, Default, Reflect)]
pub struct Opaque {}
