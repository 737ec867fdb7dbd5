//! The saved form of a [`Space`], and its other derived traits, which a derive would implement for
//! tags with the same traits only.

use std::fmt;

use ecs::prelude::*;
use ecs::query::Filter;
use serde::{Deserialize, Serialize, Serializer};

use super::{Space, same};
use crate::places::Located;
use crate::vector::Vec2;

/// The entities with their points, without the order of cells.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Space")]
pub(super) struct SavedSpace<E> {
    cell: f32,
    entities: E,
    left_out: u32,
}

impl<P: Located<Place = Vec2>, F: Filter + 'static> Serialize for Space<P, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { cell, entities, left_out, .. } = self;
        SavedSpace { cell: *cell, entities, left_out: *left_out }.serialize(serializer)
    }
}

impl<P: Located<Place = Vec2>, F: Filter + 'static> TryFrom<SavedSpace<Vec<(Entity, Vec2)>>> for Space<P, F> {
    type Error = String;

    fn try_from(saved: SavedSpace<Vec<(Entity, Vec2)>>) -> Result<Self, String> {
        let SavedSpace { cell, entities, left_out } = saved;
        if !(cell > 0.0 && cell.is_finite()) {
            return Err(format!("the cells of a `Space` have the width {cell}"));
        }
        if let Some((entity, point)) = entities.iter().find(|(_, point)| !point.is_finite()) {
            return Err(format!("entity {entity} of a `Space` is at {point:?}"));
        }
        if let Some(pair) = entities.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            return Err(format!("entity {} of a `Space` stands after entity {}", pair[1].0, pair[0].0));
        }
        Ok(Self::of(cell, entities, left_out))
    }
}

impl<P: Located<Place = Vec2>, F: Filter + 'static> Clone for Space<P, F> {
    fn clone(&self) -> Self {
        let Self { cell, entities, left_out, grid, of } = self;
        Self { cell: *cell, entities: entities.clone(), left_out: *left_out, grid: grid.clone(), of: *of }
    }
}

impl<P: Located<Place = Vec2>, F: Filter + 'static> PartialEq for Space<P, F> {
    fn eq(&self, other: &Self) -> bool {
        self.cell == other.cell
            && self.left_out == other.left_out
            && self.entities.len() == other.entities.len()
            && self.entities.iter().zip(&other.entities).all(|(one, other)| same(one, other))
    }
}

impl<P: Located<Place = Vec2>, F: Filter + 'static> fmt::Debug for Space<P, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Space").field("cell_width", &self.cell).field("entities", &self.entities).finish()
    }
}
