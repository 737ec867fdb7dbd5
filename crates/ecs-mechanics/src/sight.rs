//! Sight on a map of cells: the cells that each creature sees from its own, and those that the
//! player has seen so far.
//!
//! The system [`look`] fills the [`View`] of each entity with [`Sight`]. It is generic over the
//! component that says in which cell an entity is, [`Located`], and over the resource that says
//! which cells are opaque, [`Opacity`]. The system [`explore`] remembers the cells that the
//! entities with a component have seen.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_mechanics::places::Located;
//! use ecs_mechanics::sight::{self, Cell, Explored, Opacity, Sight, View, explore, look};
//!
//! #[derive(Component)]
//! struct Position(Cell);
//! impl Located for Position {
//!     type Place = Cell;
//!     fn place(&self) -> Cell { self.0 }
//! }
//!
//! #[derive(Component)]
//! struct Hero;
//!
//! #[derive(Resource)]
//! struct Map(&'static [&'static str]);
//! impl Opacity for Map {
//!     fn size(&self) -> (u32, u32) { (self.0[0].len() as u32, self.0.len() as u32) }
//!     fn is_opaque(&self, at: Cell) -> bool { self.0[at.y as usize].as_bytes()[at.x as usize] == b'#' }
//! }
//!
//! world! {
//!     struct Cave {
//!         include sight::sight;
//!         include sight::exploration;
//!         components { Position, Hero }
//!         resources { Map }
//!     }
//!     schedule turn { look::<Position, Map>; explore::<Hero> }
//! }
//!
//! let mut cave = Cave::new(Map(&["...#...", "...#...", "......."]));
//! let hero = cave.spawn((Hero, Position(Cell::new(0, 0)), Sight { radius: 9 }));
//! cave.turn();
//! let view = cave.get::<View>(hero).unwrap();
//! assert!(view.contains(Cell::new(3, 0)) && !view.contains(Cell::new(4, 0)));
//! assert!(cave.resource::<Explored>().contains(Cell::new(3, 0)));
//! ```

mod cells;
mod shadows;

use std::ops::{Deref, DerefMut};

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

pub use self::cells::{Cell, CellSet};
pub use self::shadows::for_each_visible;
use crate::places::Located;

/// A resource that says which cells of a map hide what is behind them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which cells are opaque",
    label = "does not implement `Opacity`",
    note = "write `impl Opacity for {Self}`; it is a resource, such as the map"
)]
pub trait Opacity: Resource {
    /// The width and the height of the map. Cells from (0, 0) up to them are inside.
    fn size(&self) -> (u32, u32);

    /// Whether a cell inside of the map is opaque.
    fn is_opaque(&self, at: Cell) -> bool;
}

/// Sees the cells up to a distance. A component, which requires a [`View`].
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[component(requires(View))]
pub struct Sight {
    /// The distance in cells, as the crow flies.
    pub radius: u16,
}

/// The cells that an entity sees. A component, set by [`look`].
#[derive(Component, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct View(pub CellSet);

/// The cells that have been seen so far. A resource, which [`explore`] adds to.
#[derive(Resource, Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Explored(pub CellSet);

impl Deref for View {
    type Target = CellSet;
    fn deref(&self) -> &CellSet {
        &self.0
    }
}

impl Deref for Explored {
    type Target = CellSet;
    fn deref(&self) -> &CellSet {
        &self.0
    }
}

impl DerefMut for Explored {
    fn deref_mut(&mut self) -> &mut CellSet {
        &mut self.0
    }
}

parts! {
    /// The sight of entities, and the cells that they see.
    pub sight {
        components { Sight, View }
    }
}

parts! {
    /// The exploration of a map.
    pub exploration {
        resources {
            /// The cells that have been seen so far.
            explored: Explored = Explored::default(),
        }
    }
}

/// System: sets the [`View`] of each entity with [`Sight`] to the cells that it sees: see
/// [`for_each_visible`]. An opaque cell is seen itself. An entity outside of the map sees nothing.
///
/// A schedule names it with the place and the map, as `look::<Position, Map>`.
#[system]
pub fn look<P: Located<Place = Cell>, M: Opacity>(position: &P, sight: &Sight, view: &mut View, map: Res<M>) {
    let size = map.size();
    view.0.reset(size.0, size.1);
    let is_opaque = |at| map.is_opaque(at);
    for_each_visible(position.place(), sight.radius, size, is_opaque, |at| {
        view.0.insert(at);
    });
}

/// System: adds the cells in the views of the entities with a component to the [`Explored`] ones,
/// as `explore::<Hero>`.
#[system]
pub fn explore<S: Component>(views: Query<&View, With<S>>, mut explored: ResMut<Explored>) {
    for view in &views {
        explored.unite(view);
    }
}
