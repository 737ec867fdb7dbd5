//! The nearest points of a [`PointGrid`], by rings of cells.

use super::{PointGrid, distance_squared};
use crate::vector::Vec2;

/// The numbers of the `n` points that are nearest to a finite point: by distance, then by number.
pub(super) fn nearest(grid: &PointGrid, to: Vec2, n: usize) -> Vec<u32> {
    let n = n.min(grid.len());
    let mut found: Vec<(f64, u32)> = Vec::new();
    if n == 0 {
        return Vec::new();
    }
    let (column, row) = (grid.coordinate(to.x.into()), grid.coordinate(to.y.into()));
    let mut cells = 0_u64;
    // cells in growing squares around the point
    for ring in 0_i64.. {
        cells += if ring == 0 { 1 } else { 8 * ring as u64 };
        let bounds = [
            column.checked_sub(ring),
            column.checked_add(ring),
            row.checked_sub(ring),
            row.checked_add(ring),
        ];
        // as many cells as points, or the end of the numbers: looking at all points is cheaper
        let ([Some(left), Some(right), Some(bottom), Some(top)], true) = (bounds, cells < grid.len() as u64)
        else {
            found.clear();
            grid.for_each(|point, number| found.push((distance_squared(to, point), number)));
            keep_nearest(&mut found, n);
            break;
        };
        // the border of the square, without the corners twice
        let mut visit = |point, number| found.push((distance_squared(to, point), number));
        grid.for_each_in_row(top, left..=right, &mut visit);
        if ring > 0 {
            grid.for_each_in_row(bottom, left..=right, &mut visit);
            for row in bottom + 1..top {
                grid.for_each_in_row(row, left..=left, &mut visit);
                grid.for_each_in_row(row, right..=right, &mut visit);
            }
        }
        // a point outside of the square cannot be nearer than its border
        if found.len() >= n {
            keep_nearest(&mut found, n);
            let reach = grid.width_of(ring, to).max(0.0);
            if found.last().is_some_and(|(distance, _)| *distance < reach * reach) {
                break;
            }
        }
    }
    found.into_iter().map(|(_, number)| number).collect()
}

/// Sorts, and removes all but the first `n`.
fn keep_nearest(found: &mut Vec<(f64, u32)>, n: usize) {
    let order = |one: &(f64, u32), other: &(f64, u32)| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1));
    if found.len() > n {
        found.select_nth_unstable_by(n - 1, order);
        found.truncate(n);
    }
    found.sort_unstable_by(order);
}
