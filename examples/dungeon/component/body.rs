//! What everything on the level has: a name, a looks, a place.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use crate::point::Point;

/// What it is called, and what it looks like from close by.
#[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
pub struct Meta {
    pub name: String,
    pub about: String,
}

/// How it is drawn.
#[derive(Component, Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Glyph {
    pub symbol: char,
    pub colour: Colour,
}

impl Default for Glyph {
    fn default() -> Self {
        Self { symbol: '?', colour: Colour::default() }
    }
}

/// The colours of every terminal.
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

/// Where it is. What lies in a pack is nowhere.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Position(pub Point);

/// Nobody can stand where it stands.
#[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
pub struct Solid {}

/// Nobody can look through it.
#[derive(Component, Clone, Debug, Default, Serialize, Deserialize)]
pub struct Opaque {}
