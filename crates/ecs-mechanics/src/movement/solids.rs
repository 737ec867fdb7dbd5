//! The obstacles of bodies: the [`Solids`] of a step, and the [`SolidCells`] of a map.

use ecs::prelude::*;

use super::Shape;
use super::sweep::{ALL_SIDES, Hit, Point, Sum, dot, moved};
use super::{Contact, Obstacle};
use crate::sight::Cell;
use crate::space::PointGrid;
use crate::vector::Vec2;

/// A resource that says which cells of a map are solid.
///
/// The cell (0, 0) is between the origin and (`cell_width`, `cell_width`). All cells are asked for,
/// also those outside of a map, which decides whether its border is a wall. A map has no cells that
/// are farther away than an `i32` counts.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not say which cells are solid",
    label = "does not implement `SolidCells`",
    note = "write `impl SolidCells for {Self}`; it is a resource, such as the map"
)]
pub trait SolidCells: Resource {
    /// Whether a cell stops bodies.
    fn is_solid(&self, cell: Cell) -> bool;

    /// The width and height of all cells: a finite number greater than zero.
    fn cell_width(&self) -> f32 {
        1.0
    }
}

/// A map, for code that is not generic over it.
#[derive(Clone, Copy)]
pub(super) struct Cells<'a> {
    pub(super) is_solid: &'a dyn Fn(Cell) -> bool,
    pub(super) width: f64,
}

/// A solid entity.
struct SolidEntity {
    entity: Entity,
    shape: Shape,
    start: Point,
    now: Point,
}

/// The solid entities of a step.
///
/// Those of a usual size are found by a grid of their points at the start of the step. A search in
/// the grid is wider by the size of the largest of them, and by the longest way that any of them
/// has moved since. The few that are much larger than the average are looked at each time.
#[derive(Default)]
pub(super) struct Solids {
    /// In ascending order of the entities.
    all: Vec<SolidEntity>,
    grid: PointGrid,
    /// The indices of the entities in the grid, and of the others.
    usual: Vec<u32>,
    large: Vec<u32>,
    reach: f64,
    farthest: f64,
}

/// The first obstacle on a way.
pub(super) struct FirstHit {
    pub(super) hit: Hit,
    pub(super) with: Obstacle,
}

/// A body that moves.
#[derive(Clone, Copy)]
pub(super) struct Mover<'a> {
    pub(super) entity: Entity,
    pub(super) shape: &'a Shape,
    pub(super) skin: f64,
}

/// The distance from the middle to the farther pair of sides.
pub(super) fn extent(shape: &Shape) -> f64 {
    let [x, y] = shape.half();
    x.max(y) + shape.radius()
}

impl Solids {
    /// Takes the solid entities of a step, in the order of their slots.
    pub(super) fn collect(&mut self, solids: impl Iterator<Item = (Entity, Vec2, Shape)>) {
        self.all.clear();
        self.all.extend(solids.map(|(entity, at, shape)| {
            let at = [at.x.into(), at.y.into()];
            SolidEntity { entity, shape, start: at, now: at }
        }));
        // a few large entities would make a search for small ones look far: they are kept apart
        let sum: f64 = self.all.iter().map(|solid| extent(&solid.shape)).sum();
        let average = sum / self.all.len().max(1) as f64;
        self.usual.clear();
        self.large.clear();
        (self.reach, self.farthest) = (0.0, 0.0);
        for (index, solid) in (0..).zip(&self.all) {
            let extent = extent(&solid.shape);
            if extent <= 4.0 * average {
                self.reach = self.reach.max(extent);
                self.usual.push(index);
            } else {
                self.large.push(index);
            }
        }
        // cells as wide as an average entity, and of a positive, finite width, as the grid needs
        // them
        let cell = (2.0 * average).clamp(f64::from(f32::MIN_POSITIVE), f64::from(f32::MAX)) as f32;
        let points = self.usual.iter().map(|&index| {
            let [x, y] = self.all[index as usize].start;
            Vec2::new(x as f32, y as f32)
        });
        self.grid.build(cell, points);
    }

    /// Takes the place of an entity that has moved.
    pub(super) fn moved(&mut self, entity: Entity, to: Vec2) {
        if let Ok(index) = self.all.binary_search_by_key(&entity, |solid| solid.entity) {
            let solid = &mut self.all[index];
            solid.now = [to.x.into(), to.y.into()];
            let way = moved(solid.now, solid.start, -1.0);
            self.farthest = self.farthest.max(dot(way, way).sqrt());
        }
    }

    /// Calls `visit` for the index of each solid that a mover may touch between two points, in any
    /// order.
    fn for_each_near(&self, from: Point, to: Point, mover: Mover<'_>, mut visit: impl FnMut(u32)) {
        let margin = extent(mover.shape) + mover.skin + self.reach + self.farthest;
        let low = [0, 1].map(|axis| from[axis].min(to[axis]) - margin);
        let high = [0, 1].map(|axis| from[axis].max(to[axis]) + margin);
        let mut visit = |index: u32| {
            if self.all[index as usize].entity != mover.entity {
                visit(index);
            }
        };
        self.grid.for_each_near_box(low, high, |_, number| visit(self.usual[number as usize]));
        self.large.iter().for_each(|&index| visit(index));
    }

    /// The point to which a body is pushed out of the solids in which it is, one after the other in
    /// the order of their slots.
    pub(super) fn push_out(&self, mover: Mover<'_>, mut at: Point) -> Point {
        let mut near = Vec::new();
        self.for_each_near(at, at, mover, |index| near.push(index));
        near.sort_unstable();
        for index in near {
            let solid = &self.all[index as usize];
            let sum = Sum::new(mover.shape, &solid.shape, ALL_SIDES);
            let from = moved(at, solid.now, -1.0);
            if sum.overlap(from, 0.0).is_some()
                && let Some((normal, depth)) = sum.overlap(from, mover.skin)
            {
                at = moved(at, normal, depth);
            }
        }
        at
    }

    /// The first solid on a way; of several at the same point, that with the lowest slot.
    pub(super) fn first_hit(&self, mover: Mover<'_>, at: Point, way: Point) -> Option<FirstHit> {
        let mut first: Option<(Hit, u32)> = None;
        self.for_each_near(at, moved(at, way, 1.0), mover, |index| {
            let solid = &self.all[index as usize];
            let sum = Sum::new(mover.shape, &solid.shape, ALL_SIDES);
            if let Some(hit) = sum.hit(moved(at, solid.now, -1.0), way, mover.skin)
                && first.is_none_or(|(first, number)| (hit.part, index) < (first.part, number))
            {
                first = Some((hit, index));
            }
        });
        first.map(|(hit, index)| FirstHit { hit, with: Obstacle::Entity(self.all[index as usize].entity) })
    }
}

impl Cells<'_> {
    /// The greatest way of one step, in cells along an axis.
    pub(super) const MOST: f64 = 4096.0;
    /// The greatest width of a body, in cells.
    pub(super) const WIDEST: f64 = 1024.0;

    /// The first solid cell on a way; of several at the same point, the lowest one, then the
    /// leftmost one.
    pub(super) fn first_hit(&self, mover: Mover<'_>, at: Point, way: Point) -> Option<FirstHit> {
        // a piece looks at all cells around the body: one of a wide body is longer, so that no cell
        // is looked at too often
        let length = self.width.max(extent(mover.shape) / 4.0);
        let pieces = (way[0].abs().max(way[1].abs()) / length).ceil().clamp(1.0, Self::MOST);
        let piece = way.map(|at| at / pieces);
        for number in 0..pieces as u32 {
            let from = moved(at, way, f64::from(number) / pieces);
            if let Some((hit, cell)) = self.first_hit_of_piece(mover, from, piece) {
                let part = (f64::from(number) + hit.part) / pieces;
                return Some(FirstHit { hit: Hit { part, ..hit }, with: Obstacle::Cell(cell) });
            }
        }
        None
    }

    fn first_hit_of_piece(&self, mover: Mover<'_>, from: Point, way: Point) -> Option<(Hit, Cell)> {
        let to = moved(from, way, 1.0);
        let reach = mover.shape.half().map(|half| half + mover.shape.radius() + mover.skin);
        let cell = |at: f64| (at / self.width).floor() as i32;
        let [left, bottom] = [0, 1].map(|axis| cell(from[axis].min(to[axis]) - reach[axis]));
        let [right, top] = [0, 1].map(|axis| cell(from[axis].max(to[axis]) + reach[axis]));
        let mut first: Option<(Hit, Cell)> = None;
        for (x, y) in (bottom..=top).flat_map(|y| (left..=right).map(move |x| (x, y))) {
            if !(self.is_solid)(Cell::new(x, y)) {
                continue;
            }
            // a side between two solid cells is no side: bodies slide along a wall as if it was one
            // piece
            let is_open = |x: Option<i32>, y: Option<i32>| {
                x.zip(y).is_none_or(|(x, y)| !(self.is_solid)(Cell::new(x, y)))
            };
            let sides = [
                [is_open(x.checked_sub(1), Some(y)), is_open(x.checked_add(1), Some(y))],
                [is_open(Some(x), y.checked_sub(1)), is_open(Some(x), y.checked_add(1))],
            ];
            let middle = [x, y].map(|at| (f64::from(at) + 0.5) * self.width);
            let sum = Sum::with_box(mover.shape, self.width / 2.0, sides);
            if let Some(hit) = sum.hit(moved(from, middle, -1.0), way, mover.skin)
                && first.is_none_or(|(first, _)| hit.part < first.part)
            {
                first = Some((hit, Cell::new(x, y)));
            }
        }
        first
    }
}

/// Adds the contact of a hit, once for each obstacle and direction.
pub(super) fn note(contacts: &mut Vec<Contact>, with: Obstacle, normal: Point, speed: f64) {
    let contact =
        Contact { with, normal: Vec2::new(normal[0] as f32, normal[1] as f32), speed: speed as f32 };
    if !contacts.iter().any(|noted| noted.with == with && noted.normal == contact.normal) {
        contacts.push(contact);
    }
}
