//! The first touch of a moving shape and another one, computed with numbers of 64 bits.
//!
//! A shape that moves past another one is a point that moves past the sum of both, which is a box
//! with round corners. The point stops at a small distance before it, the *skin*: errors of
//! rounding are smaller, so that a body which rests on another one is never inside of it.

use super::Shape;

pub(super) type Point = [f64; 2];

/// Which sides of a box bodies can touch: of each axis, that at the lower and that at the higher
/// coordinate.
pub(super) type Sides = [[bool; 2]; 2];

/// All sides.
pub(super) const ALL_SIDES: Sides = [[true; 2]; 2];

/// The sum of a moving and a resting shape, around the middle of the resting one.
pub(super) struct Sum {
    half: Point,
    radius: f64,
    sides: Sides,
}

/// A touch on the way of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hit {
    /// The part of the way before the touch, from 0 to 1.
    pub(super) part: f64,
    /// The direction from the resting shape to the moving one, with the length 1.
    pub(super) normal: Point,
}

pub(super) fn dot(one: Point, other: Point) -> f64 {
    one[0] * other[0] + one[1] * other[1]
}

/// A point that is moved by a multiple of a vector.
pub(super) fn moved(at: Point, by: Point, times: f64) -> Point {
    [at[0] + by[0] * times, at[1] + by[1] * times]
}

impl Sum {
    pub(super) fn new(one: &Shape, other: &Shape, sides: Sides) -> Self {
        let ([x, y], [other_x, other_y]) = (one.half(), other.half());
        Self { half: [x + other_x, y + other_y], radius: one.radius() + other.radius(), sides }
    }

    /// The sum of a shape and a box.
    pub(super) fn with_box(one: &Shape, half: f64, sides: Sides) -> Self {
        let [x, y] = one.half();
        Self { half: [x + half, y + half], radius: one.radius(), sides }
    }

    /// The first touch of a point that moves from `at` by `way`.
    ///
    /// A point that is inside, or within the skin, touches at once if it moves deeper, and never if
    /// it does not: the shape is convex.
    pub(super) fn hit(&self, at: Point, way: Point, skin: f64) -> Option<Hit> {
        if let Some((normal, _)) = self.overlap(at, skin) {
            return (dot(way, normal) < 0.0).then_some(Hit { part: 0.0, normal });
        }
        let mut first = None;
        self.hit_sides(at, way, skin, &mut first);
        if self.radius > 0.0 {
            self.hit_corners(at, way, skin, &mut first);
        } else {
            self.hit_box(at, way, &mut first);
        }
        first
    }

    /// The direction in which a point leaves the shape and its skin on the shortest way, and the
    /// length of that; nothing if it is outside.
    pub(super) fn overlap(&self, at: Point, skin: f64) -> Option<(Point, f64)> {
        let radius = self.radius + skin;
        // the nearest point of the box within a round shape
        let core = [0, 1].map(|axis| at[axis].clamp(-self.half[axis], self.half[axis]));
        let outside = [at[0] - core[0], at[1] - core[1]];
        // beside a rounded corner, the way out leads straight away from it
        if self.radius > 0.0 && outside != [0.0; 2] {
            let can_touch = |axis: usize| outside[axis] == 0.0 || self.has_side(axis, outside[axis] > 0.0);
            let distance = dot(outside, outside).sqrt();
            let is_inside = distance < radius && can_touch(0) && can_touch(1);
            return is_inside.then(|| (outside.map(|at| at / distance), radius - distance));
        }
        // otherwise to the nearest side that is not covered by a neighbour
        let mut least: Option<(Point, f64)> = None;
        for axis in [0, 1] {
            let depth = self.half[axis] + radius - at[axis].abs();
            let is_beside = self.is_beside(at[1 - axis], axis);
            let is_least = least.is_none_or(|(_, least)| depth < least);
            if depth > 0.0 && is_beside && is_least && self.has_side(axis, at[axis] >= 0.0) {
                least = Some((unit(axis, at[axis] >= 0.0), depth));
            }
        }
        least
    }

    fn has_side(&self, axis: usize, is_higher: bool) -> bool {
        self.sides[axis][usize::from(is_higher)]
    }

    /// Whether a point meets the flat part of the sides of this axis, by its other coordinate.
    ///
    /// A box that slides along a wall is within the skin of the next piece of the wall. It must not
    /// touch the end of that piece, so the skin does not make sides longer.
    fn is_beside(&self, at: f64, axis: usize) -> bool {
        let half = self.half[1 - axis];
        if self.radius > 0.0 { at.abs() <= half } else { at.abs() < half }
    }

    /// The flat parts of the sides, at the distance of the skin.
    fn hit_sides(&self, at: Point, way: Point, skin: f64, first: &mut Option<Hit>) {
        for (axis, is_higher) in [(0, false), (0, true), (1, false), (1, true)] {
            let sign = if is_higher { 1.0 } else { -1.0 };
            let distance = at[axis] * sign - (self.half[axis] + self.radius + skin);
            let speed = -way[axis] * sign;
            if distance < 0.0 || speed <= 0.0 || !self.has_side(axis, is_higher) {
                continue;
            }
            let part = distance / speed;
            if self.is_beside(at[1 - axis] + way[1 - axis] * part, axis) {
                keep_first(first, Hit { part, normal: unit(axis, is_higher) });
            }
        }
    }

    /// The box without its skin, for points that come exactly to a corner.
    fn hit_box(&self, at: Point, way: Point, first: &mut Option<Hit>) {
        // the way is inside from the last entry along an axis to the first exit
        let (mut entry, mut exit, mut side) = (f64::NEG_INFINITY, f64::INFINITY, None);
        for axis in [0, 1] {
            // parallel to this axis' sides: between them all the time, or never
            if way[axis] == 0.0 {
                if at[axis].abs() >= self.half[axis] {
                    return;
                }
                continue;
            }
            let is_higher = way[axis] < 0.0;
            let near = if is_higher { self.half[axis] } else { -self.half[axis] };
            let (enters, exits) = ((near - at[axis]) / way[axis], (-near - at[axis]) / way[axis]);
            exit = exit.min(exits);
            if enters > entry {
                (entry, side) = (enters, Some((axis, is_higher)));
            }
        }
        let Some((axis, is_higher)) = side else { return };
        // a side that is covered by a neighbour cannot be hit: bodies slide over the seam
        if entry >= 0.0 && entry < exit && self.has_side(axis, is_higher) {
            keep_first(first, Hit { part: entry, normal: unit(axis, is_higher) });
        }
    }

    /// The circles around the corners of the core.
    fn hit_corners(&self, at: Point, way: Point, skin: f64, first: &mut Option<Hit>) {
        let radius = self.radius + skin;
        let length_squared = dot(way, way);
        for (right, top) in [(false, false), (true, false), (false, true), (true, true)] {
            if !self.has_side(0, right) || !self.has_side(1, top) {
                continue;
            }
            let sign = |is_higher| if is_higher { 1.0 } else { -1.0 };
            let from = [at[0] - sign(right) * self.half[0], at[1] - sign(top) * self.half[1]];
            let towards = -dot(from, way);
            // the distance at which the line passes the corner, times the length of the way
            let passes = from[0] * way[1] - from[1] * way[0];
            let rest = length_squared * radius * radius - passes * passes;
            if towards <= 0.0 || rest < 0.0 {
                continue;
            }
            let part = (towards - rest.sqrt()) / length_squared;
            if part >= 0.0 {
                let touch = moved(from, way, part);
                let length = dot(touch, touch).sqrt();
                keep_first(first, Hit { part, normal: touch.map(|at| at / length) });
            }
        }
    }
}

/// The direction along an axis.
fn unit(axis: usize, is_higher: bool) -> Point {
    let mut unit = [0.0; 2];
    unit[axis] = if is_higher { 1.0 } else { -1.0 };
    unit
}

fn keep_first(first: &mut Option<Hit>, hit: Hit) {
    if hit.part <= 1.0 && first.is_none_or(|first| hit.part < first.part) {
        *first = Some(hit);
    }
}
