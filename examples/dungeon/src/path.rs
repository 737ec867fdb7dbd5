//! Path finding.

use pathfinding::prelude::astar;

use crate::board::{Barrier, Board};
use crate::level::Level;
use crate::point::Point;

/// The first step of the shortest path, if there is a path.
///
/// A diagonal step costs a little more than a straight one, so that paths look natural, and other
/// bodies cost a detour.
pub fn step(from: Point, to: Point, opens_doors: bool, level: &Level, board: &Board) -> Option<Point> {
    const STRAIGHT: u32 = 10;
    const DIAGONAL: u32 = 11;
    const DOOR: u32 = 10;
    const BODY: u32 = 50;

    let neighbours = |here: &Point| {
        here.neighbours().filter_map(move |(direction, there)| {
            let length = if direction.is_diagonal() { DIAGONAL } else { STRAIGHT };
            let cell = board.cell(there);
            let delay = match cell.barrier {
                Barrier::Closed if opens_doors => DOOR,
                Barrier::Closed | Barrier::Locked => return None,
                Barrier::None if cell.body.is_some() && there != to => BODY,
                Barrier::None => 0,
            };
            level.is_floor(there).then_some((there, length + delay))
        })
    };
    let (path, _) = astar(&from, neighbours, |here| here.distance(to) * STRAIGHT, |here| *here == to)?;
    path.get(1).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Cell;
    use crate::grid::Grid;
    use crate::level::Terrain;

    const HERE: Point = Point::new(0, 0);
    const THERE: Point = Point::new(2, 0);
    const BETWEEN: Point = Point::new(1, 0);

    /// The step from one end of a corridor of three cells to the other, with `barrier` in the
    /// middle.
    fn step_through(barrier: Barrier, opens_doors: bool) -> Option<Point> {
        let level = Level(Grid::new(3, 1, Terrain::Floor));
        let mut board = Board::default();
        board.reset(&level);
        board.set(BETWEEN, Cell { barrier, ..Cell::default() });
        step(HERE, THERE, opens_doors, &level, &board)
    }

    #[test]
    fn doors_stop_walkers_without_hands_and_locks_stop_all() {
        assert_eq!(step_through(Barrier::None, false), Some(BETWEEN));
        assert_eq!(step_through(Barrier::Closed, true), Some(BETWEEN));
        assert_eq!(step_through(Barrier::Closed, false), None);
        assert_eq!(step_through(Barrier::Locked, true), None);
    }
}
