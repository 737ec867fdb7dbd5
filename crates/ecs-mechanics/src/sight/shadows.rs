//! Shadow casting: which cells of a map are seen from a cell.

use super::Cell;

/// Calls `see` for each cell that is seen from the cell `eye`, up to this distance, on a map of
/// this size; for some cells twice.
///
/// It sees its own cell, and nothing from outside of the map. An opaque cell is seen itself, and
/// hides those behind it.
///
/// The map is divided into eight sectors between an axis and a diagonal. In each, light goes from
/// row to row in spans of slopes. A row ends spans at the far corners of its opaque cells and
/// begins new ones at their near corners, so that a cell is seen if the line through its middle is
/// lit at one point.
///
/// # Cost
/// Linear in the number of cells up to the distance, in the worst case.
pub fn for_each_visible(
    eye: Cell,
    radius: u16,
    (width, height): (u32, u32),
    is_opaque: impl Fn(Cell) -> bool,
    mut see: impl FnMut(Cell),
) {
    let is_inside = |at: i32, size: u32| u32::try_from(at).is_ok_and(|at| at < size);
    if !is_inside(eye.x, width) || !is_inside(eye.y, height) {
        return;
    }
    see(eye);
    // the cells that are left on each side of the eye
    let room = |at: i32, size: u32, sign: i32| {
        if sign < 0 { i64::from(at) } else { i64::from(size) - 1 - i64::from(at) }
    };
    let (mut spans, mut next) = (Vec::new(), Vec::new());
    for (sign_x, sign_y) in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
        let (room_x, room_y) = (room(eye.x, width, sign_x), room(eye.y, height, sign_y));
        for is_steep in [false, true] {
            let (depths, laterals) = if is_steep { (room_y, room_x) } else { (room_x, room_y) };
            let cell = |lateral: i64, depth: i64| {
                let (x, y) = if is_steep { (lateral, depth) } else { (depth, lateral) };
                Cell::new(eye.x + sign_x * x as i32, eye.y + sign_y * y as i32)
            };
            spans.push(Span::OCTANT);
            for depth in 1..=depths.min(i64::from(radius)) {
                let reach = i64::from(radius) * i64::from(radius) - depth * depth;
                for span in spans.drain(..) {
                    span.light_row(depth, laterals, &mut next, |lateral| {
                        let at = cell(lateral, depth);
                        if lateral * lateral <= reach {
                            see(at);
                        }
                        is_opaque(at)
                    });
                }
                std::mem::swap(&mut spans, &mut next);
            }
            spans.clear();
        }
    }
}

/// A direction: so many half cells aside for so many half cells away from the eye.
#[derive(Clone, Copy)]
struct Slope {
    aside: i64,
    away: i64,
}

impl PartialEq for Slope {
    fn eq(&self, other: &Self) -> bool {
        self.aside * other.away == other.aside * self.away
    }
}

/// The light between two slopes.
#[derive(Clone, Copy)]
struct Span {
    low: Slope,
    high: Slope,
    /// Whether the first cell at the low slope is lit: not if the slope is that of the corner of an
    /// opaque cell.
    with_low: bool,
}

impl Span {
    /// The light from an axis to a diagonal.
    const OCTANT: Self =
        Self { low: Slope { aside: 0, away: 1 }, high: Slope { aside: 1, away: 1 }, with_low: true };

    /// Visits the lit cells of a row, and adds the light that passes behind them to `next`.
    /// `is_opaque` gets the distance of a cell from the axis.
    fn light_row(
        mut self,
        depth: i64,
        laterals: i64,
        next: &mut Vec<Self>,
        mut is_opaque: impl FnMut(i64) -> bool,
    ) {
        // where the slopes meet the middle of the row; a cell reaches half a cell to both sides
        let middle = |slope: Slope| slope.away + slope.aside * 2 * depth;
        let first = middle(self.low) / (2 * self.low.away) + i64::from(!self.with_low);
        let last = ((middle(self.high) - 1) / (2 * self.high.away)).min(laterals);
        let mut was_opaque = None;
        for lateral in first..=last {
            let is_dark = is_opaque(lateral);
            let corner = |away| Slope { aside: 2 * lateral - 1, away };
            match (was_opaque, is_dark) {
                (Some(false), true) => {
                    let high = corner(2 * depth + 1);
                    next.push(Self { high, ..self });
                    (self.low, self.with_low) = (high, false);
                }
                (Some(true), false) => (self.low, self.with_low) = (corner(2 * depth - 1), false),
                _ => {}
            }
            was_opaque = Some(is_dark);
        }
        if was_opaque == Some(false) && self.low != self.high {
            next.push(self);
        }
    }
}
