//! [`PointGrid`]: points in square cells, in arrays that are sorted anew whenever points have
//! moved.

use std::ops::RangeInclusive;

use crate::vector::Vec2;

/// Points with a number each, sorted by the cell in which they are.
///
/// The cells are those of an endless grid. Each cell belongs to a bucket, and the points are sorted
/// by bucket with a counting sort. The cells of a row belong to adjacent buckets, in their order,
/// from one that is a hash of the row: a look at several cells of a row reads adjacent points.
/// Points of several rows may share a bucket, so a look at a row compares the row of each point.
#[derive(Clone, Default)]
pub(crate) struct PointGrid {
    /// The number of cells in the length 1.
    per_unit: f64,
    /// The index of the first point of each bucket, and the number of all points. The number of
    /// buckets is a power of two.
    starts: Vec<u32>,
    points: Vec<(Vec2, u32)>,
}

impl PointGrid {
    /// Sorts finite points into cells with this width. The numbers of the points are 0, 1, ..
    pub(crate) fn build(&mut self, cell: f32, points: impl ExactSizeIterator<Item = Vec2> + Clone) {
        self.per_unit = 1.0 / f64::from(cell);
        let buckets = points.len().next_power_of_two();
        let bucket = |point: Vec2, per_unit| {
            bucket(coordinate(point.x.into(), per_unit), coordinate(point.y.into(), per_unit), buckets)
        };
        self.starts.clear();
        self.starts.resize(buckets + 1, 0);
        for point in points.clone() {
            self.starts[bucket(point, self.per_unit) + 1] += 1;
        }
        for at in 1..self.starts.len() {
            self.starts[at] += self.starts[at - 1];
        }
        self.points.clear();
        self.points.resize(points.len(), (Vec2::ZERO, 0));
        for (number, point) in (0..).zip(points) {
            let start = &mut self.starts[bucket(point, self.per_unit)];
            self.points[*start as usize] = (point, number);
            *start += 1;
        }
        // the start of each bucket has become its end, which is the start of the next one
        self.starts.rotate_right(1);
        self.starts[0] = 0;
    }

    /// The number of points.
    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    /// The column or the row of a coordinate: the last one in its direction, if it is farther away
    /// than all others.
    pub(crate) fn coordinate(&self, at: f64) -> i64 {
        coordinate(at, self.per_unit)
    }

    /// A lower bound of the distance from this point to all points that are at least `rings` cells
    /// away along an axis.
    ///
    /// It is less than the width of the rings by more than the errors of rounding, and negative far
    /// away from the origin.
    pub(crate) fn width_of(&self, rings: i64, around: Vec2) -> f64 {
        let far = f64::from(around.x).abs() + f64::from(around.y).abs();
        rings as f64 / self.per_unit * (1.0 - f64::EPSILON * 16.0) - far * f64::EPSILON * 16.0
    }

    /// Calls `visit` for each point and its number, in any order.
    pub(crate) fn for_each(&self, mut visit: impl FnMut(Vec2, u32)) {
        self.points.iter().for_each(|(point, number)| visit(*point, *number));
    }

    /// Calls `visit` for each point in these cells of a row, and its number, in any order. There
    /// are fewer cells than points.
    pub(crate) fn for_each_in_row(
        &self,
        row: i64,
        columns: RangeInclusive<i64>,
        mut visit: impl FnMut(Vec2, u32),
    ) {
        let Some(buckets) = self.starts.len().checked_sub(1) else { return };
        // the cells of a row lie in neighbouring buckets, which other cells share
        let first = bucket(*columns.start(), row, buckets);
        let last = bucket(*columns.end(), row, buckets);
        let mut look = |from: usize, to: usize| {
            let points = &self.points[self.starts[from] as usize..self.starts[to + 1] as usize];
            for (point, number) in points {
                // a point of another cell in the same bucket
                let is_inside = self.coordinate(point.y.into()) == row
                    && columns.contains(&self.coordinate(point.x.into()));
                if is_inside {
                    visit(*point, *number);
                }
            }
        };
        // a row may wrap around the end of the buckets
        if first <= last {
            look(first, last);
        } else {
            look(first, buckets - 1);
            look(0, last);
        }
    }

    /// Calls `visit` for each point in a box, and its number, in any order. Points outside of the
    /// box may be among them.
    pub(crate) fn for_each_near_box(&self, low: [f64; 2], high: [f64; 2], mut visit: impl FnMut(Vec2, u32)) {
        let [left, bottom] = low.map(|at| self.coordinate(at));
        let [right, top] = high.map(|at| self.coordinate(at));
        if right < left || top < bottom {
            return;
        }
        let [width, height] = [(left, right), (bottom, top)].map(|(low, high)| high.abs_diff(low));
        // fewer cells than points in a row, and in all rows
        if u128::from(width).saturating_mul(u128::from(height)) + u128::from(width) + u128::from(height)
            >= self.points.len() as u128
        {
            return self.for_each(visit);
        }
        for row in bottom..=top {
            self.for_each_in_row(row, left..=right, &mut visit);
        }
    }
}

/// The column or the row of a coordinate. It does not decrease when the coordinate increases.
fn coordinate(at: f64, per_unit: f64) -> i64 {
    let scaled = at * per_unit;
    let towards_zero = scaled as i64;
    towards_zero.saturating_sub(i64::from(scaled < towards_zero as f64))
}

fn bucket(column: i64, row: i64, buckets: usize) -> usize {
    let mixed = (row as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    ((mixed >> 32) as usize).wrapping_add(column as usize) & (buckets - 1)
}
