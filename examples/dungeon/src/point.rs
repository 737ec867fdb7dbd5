//! Positions on the level and the eight directions.

use ecs::Reflect;
use std::ops::Add;

use ecs_mechanics::sight::Cell;

/// A cell: column and row, counted from the upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Reflect)]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

impl Point {
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }

    /// The number of steps to `other` on open ground, where a diagonal step counts one.
    pub fn distance(self, other: Self) -> u32 {
        self.x.abs_diff(other.x).max(self.y.abs_diff(other.y))
    }

    /// The eight cells around this one, always in the same order.
    pub fn neighbours(self) -> impl Iterator<Item = (Direction, Self)> {
        Direction::ALL.into_iter().map(move |direction| (direction, self + direction))
    }
}

impl Add<Direction> for Point {
    type Output = Self;

    fn add(self, direction: Direction) -> Self {
        let (x, y) = direction.delta();
        Self::new(self.x + x, self.y + y)
    }
}

impl From<Point> for Cell {
    fn from(Point { x, y }: Point) -> Self {
        Self::new(x, y)
    }
}

/// A direction of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Reflect)]
pub enum Direction {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

impl Direction {
    pub const ALL: [Self; 8] = [
        Self::North,
        Self::East,
        Self::South,
        Self::West,
        Self::NorthEast,
        Self::SouthEast,
        Self::SouthWest,
        Self::NorthWest,
    ];

    const fn delta(self) -> (i32, i32) {
        match self {
            Self::North => (0, -1),
            Self::NorthEast => (1, -1),
            Self::East => (1, 0),
            Self::SouthEast => (1, 1),
            Self::South => (0, 1),
            Self::SouthWest => (-1, 1),
            Self::West => (-1, 0),
            Self::NorthWest => (-1, -1),
        }
    }

    pub const fn is_diagonal(self) -> bool {
        let (x, y) = self.delta();
        x != 0 && y != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_neighbour_is_one_step_away_and_named_once() {
        let here = Point::new(3, 4);
        let mut around: Vec<Point> = here.neighbours().map(|(_, there)| there).collect();
        assert!(around.iter().all(|there| here.distance(*there) == 1));
        around.sort();
        around.dedup();
        assert_eq!(around.len(), 8);
    }
}
