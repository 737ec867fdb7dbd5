//! A spatial index: which entities are near a point, in a box or nearest.
//!
//! [`Space`] is a resource, which the system [`track`] keeps up to date. It is generic over the
//! component that says where an entity is, [`Located`], and over a filter: a world may have
//! `Space<Position>` for all entities and `Space<Position, With<Monster>>` for some.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_mechanics::movement::{Position, Vec2};
//! use ecs_mechanics::space::{Space, track};
//!
//! #[derive(Component)]
//! struct Wolf;
//! #[derive(Component)]
//! struct Sheep { fear: u32 }
//!
//! world! {
//!     struct Meadow {
//!         components { Position, Wolf, Sheep }
//!         resources { wolves: Space<Position, With<Wolf>> = Space::new(10.0) }
//!     }
//!     schedule tick { track::<Position, With<Wolf>>; fear }
//! }
//!
//! #[system(Meadow)]
//! fn fear(position: &Position, sheep: &mut Sheep, wolves: Res<Space<Position, With<Wolf>>>) {
//!     sheep.fear = wolves.within(position.0, 5.0).count() as u32;
//! }
//!
//! let mut meadow = Meadow::new();
//! let at = |x| Position(Vec2::new(x, 0.0));
//! meadow.spawn_batch([0.0, 4.0, 9.0].map(|x| (at(x), Wolf)));
//! let sheep = meadow.spawn((at(5.0), Sheep { fear: 0 }));
//! meadow.tick();
//! assert_eq!(meadow.get::<Sheep>(sheep).unwrap().fear, 3);
//! ```
//!
//! # Cost
//! [`track`] is linear in the number of entities, and several times cheaper if none has moved.
//! [`within`](Space::within) and [`nearest`](Space::nearest) visit little more than the entities
//! that they find: with many entities they are a hundred times cheaper than a walk through all of
//! them. `cargo run --release -p checked-ecs-mechanics --example space_cost` measures them.

mod grid;
mod nearest;
mod saved;

use std::marker::PhantomData;

use ecs::prelude::*;
use ecs::query::Filter;

pub(crate) use self::grid::PointGrid;
use self::saved::SavedSpace;
use crate::places::Located;
use crate::vector::Vec2;

/// The points of the entities that have the component `P` and pass the filter `F`, as of the last
/// run of [`track`]. A resource.
///
/// Each method that gives entities names their order. An entity whose point is infinite or NaN is
/// not in the index: see [`left_out`](Self::left_out). Distances are computed with 64 bits, and
/// those of exactly the radius are within it.
///
/// Choose cells about as wide as the usual radius. Other widths change only the time, never the
/// result.
///
/// The index is saved, cloned, hashed and rolled back like any other resource, so that a loaded
/// world continues as if it had never stopped, also where a system asks before `track` runs. A file
/// has the points in it; the order of cells is made anew when it is loaded.
#[derive(Resource, serde::Deserialize)]
#[serde(try_from = "SavedSpace<Vec<(Entity, Vec2)>>", bound = "")]
pub struct Space<P: Located<Place = Vec2>, F: Filter + 'static = ()> {
    cell: f32,
    /// In ascending order, with the point of each.
    entities: Vec<(Entity, Vec2)>,
    left_out: u32,
    grid: PointGrid,
    of: PhantomData<fn() -> (P, F)>,
}

impl<P: Located<Place = Vec2>, F: Filter + 'static> Space<P, F> {
    /// An index with cells of this width, which has no entities before [`track`] runs.
    ///
    /// # Panics
    /// If the width is not a finite number greater than zero.
    #[must_use]
    pub fn new(cell: f32) -> Self {
        assert!(
            cell > 0.0 && cell.is_finite(),
            "the cells of a `Space` have a finite width greater than zero, not {cell}"
        );
        Self::of(cell, Vec::new(), 0)
    }

    fn of(cell: f32, entities: Vec<(Entity, Vec2)>, left_out: u32) -> Self {
        let mut space = Self { cell, entities, left_out, grid: PointGrid::default(), of: PhantomData };
        space.sort();
        space
    }

    fn sort(&mut self) {
        self.grid.build(self.cell, self.entities.iter().map(|(_, point)| *point));
    }

    /// The width of the cells.
    #[must_use]
    pub const fn cell_width(&self) -> f32 {
        self.cell
    }

    /// The number of entities in the index.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entities.len()
    }

    /// Whether the index has no entity.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entities.is_empty()
    }

    /// The number of entities that [`track`] has left out, because their point is infinite or NaN.
    #[must_use]
    pub const fn left_out(&self) -> u32 {
        self.left_out
    }

    /// The entities and their points, in the order of their slots.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Entity, Vec2)> + '_ {
        self.entities.iter().copied()
    }

    /// The point at which an entity was tracked; `None` if it is not in the index.
    ///
    /// # Cost
    /// Logarithmic in the number of entities.
    #[must_use]
    pub fn get(&self, entity: Entity) -> Option<Vec2> {
        let at = self.entities.binary_search_by_key(&entity, |(entity, _)| *entity).ok()?;
        Some(self.entities[at].1)
    }

    /// The entities that are at most this far away from a point, in the order of their slots. There
    /// are none if the radius is negative, or if the radius or the point is NaN.
    ///
    /// # Cost
    /// Linear in the number of entities in the cells that the radius reaches, plus their sorting.
    /// No more than that of all entities.
    pub fn within(
        &self,
        center: Vec2,
        radius: f32,
    ) -> impl ExactSizeIterator<Item = (Entity, Vec2)> + use<'_, P, F> {
        let radius = f64::from(radius);
        let mut found = Vec::new();
        if radius >= 0.0 && !center.x.is_nan() && !center.y.is_nan() {
            let middle = [f64::from(center.x), f64::from(center.y)];
            // the distance of a point that is a little farther away than the radius can be rounded
            // down to it
            let reach = middle.map(|at| radius + (at.abs() + radius) * (4.0 * f64::EPSILON));
            let low = [0, 1].map(|axis| middle[axis] - reach[axis]);
            let high = [0, 1].map(|axis| middle[axis] + reach[axis]);
            self.grid.for_each_near_box(low, high, |point, number| {
                if distance_squared(center, point) <= radius * radius {
                    found.push(number);
                }
            });
        }
        self.in_order(found)
    }

    /// The entities between two opposite corners of a box, its sides included, in the order of
    /// their slots. There are none if `high` is below `low` or to its left, or if a coordinate is
    /// NaN.
    ///
    /// # Cost
    /// As that of [`within`](Self::within).
    pub fn in_box(
        &self,
        low: Vec2,
        high: Vec2,
    ) -> impl ExactSizeIterator<Item = (Entity, Vec2)> + use<'_, P, F> {
        let mut found = Vec::new();
        if low.x <= high.x && low.y <= high.y {
            let corner = |at: Vec2| [f64::from(at.x), f64::from(at.y)];
            self.grid.for_each_near_box(corner(low), corner(high), |point, number| {
                if (low.x..=high.x).contains(&point.x) && (low.y..=high.y).contains(&point.y) {
                    found.push(number);
                }
            });
        }
        self.in_order(found)
    }

    /// The `n` entities that are nearest to a point, with the nearest one first. Of entities at the
    /// same distance, the one with the lower slot is first. There are fewer if the index has fewer,
    /// and none if the point is infinite or NaN.
    ///
    /// # Cost
    /// It looks at ever wider rings of cells around the point, until no nearer entity is possible;
    /// at all entities, if the rings have more cells than there are entities.
    pub fn nearest(
        &self,
        to: Vec2,
        n: usize,
    ) -> impl ExactSizeIterator<Item = (Entity, Vec2)> + use<'_, P, F> {
        let found = if to.is_finite() { nearest::nearest(&self.grid, to, n) } else { Vec::new() };
        found.into_iter().map(|number| self.entities[number as usize])
    }

    fn in_order(&self, mut found: Vec<u32>) -> impl ExactSizeIterator<Item = (Entity, Vec2)> + use<'_, P, F> {
        found.sort_unstable();
        found.into_iter().map(|number| self.entities[number as usize])
    }

    /// Takes the entities of a query. Sorts only if an entity has come, gone or moved.
    fn update(&mut self, entities: impl Iterator<Item = (Entity, Vec2)>) {
        // compare with the list of the last run, place by place
        let (mut len, mut left_out, mut is_new) = (0, 0, false);
        for entry in entities {
            if !entry.1.is_finite() {
                left_out += 1;
                continue;
            }
            match self.entities.get_mut(len) {
                // an entry that has not changed keeps its place, and the order stays valid
                Some(old) if same(old, &entry) => {}
                Some(old) => (*old, is_new) = (entry, true),
                None => {
                    self.entities.push(entry);
                    is_new = true;
                }
            }
            len += 1;
        }
        // entities at the end that are gone
        is_new |= len < self.entities.len();
        self.entities.truncate(len);
        self.left_out = left_out;
        if is_new {
            self.sort();
        }
    }
}

/// Whether two entries are equal to the last bit: zero has two signs, of which a file keeps each.
fn same(one: &(Entity, Vec2), other: &(Entity, Vec2)) -> bool {
    let bits = |at: Vec2| (at.x.to_bits(), at.y.to_bits());
    one.0 == other.0 && bits(one.1) == bits(other.1)
}

/// The square of the distance of two points. With 64 bits, that of finite points is finite.
fn distance_squared(one: Vec2, other: Vec2) -> f64 {
    let (x, y) = (f64::from(one.x) - f64::from(other.x), f64::from(one.y) - f64::from(other.y));
    x * x + y * y
}

/// System: sets the [`Space`] to the present points of the entities with `P` that pass the filter,
/// as `track::<Position, ()>` or `track::<Position, With<Monster>>`.
///
/// An entity that moves afterwards stays at its old point in the index until `track` runs again.
///
/// # Cost
/// Linear in the number of entities that it tracks. If none of them has moved, it only compares
/// their points.
#[system]
pub fn track<P: Located<Place = Vec2>, F: Filter + 'static>(
    located: Query<(Entity, &P), F>,
    mut space: ResMut<Space<P, F>>,
) {
    space.update(located.iter().map(|(entity, located)| (entity, located.place())));
}
