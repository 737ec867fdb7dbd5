//! [`Cell`], a place on a map, and [`CellSet`], a set of them.

use serde::{Deserialize, Serialize};

/// A cell of a map: its column and its row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug, Serialize, Deserialize)]
pub struct Cell {
    /// The column.
    pub x: i32,
    /// The row.
    pub y: i32,
}

impl Cell {
    /// The cell in a column and a row.
    #[must_use]
    pub const fn new(x: i32, y: i32) -> Self {
        Self { x, y }
    }
}

/// A set of cells of a map, one bit for each cell. Cells outside of the map are never in it.
///
/// ```
/// use ecs_mechanics::sight::{Cell, CellSet};
///
/// let mut cells = CellSet::new(8, 2);
/// assert!(cells.insert(Cell::new(7, 1)) && !cells.insert(Cell::new(8, 1)));
/// assert_eq!(cells.iter().collect::<Vec<_>>(), [Cell::new(7, 1)]);
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(try_from = "SavedCells")]
pub struct CellSet {
    width: u32,
    height: u32,
    /// A bit for each cell, row by row. Those after the last cell are zero.
    bits: Vec<u64>,
}

/// The saved form of a set, which may have been edited.
#[derive(Deserialize)]
#[serde(rename = "CellSet")]
struct SavedCells {
    width: u32,
    height: u32,
    bits: Vec<u64>,
}

impl TryFrom<SavedCells> for CellSet {
    type Error = String;

    fn try_from(SavedCells { width, height, bits }: SavedCells) -> Result<Self, String> {
        let cells = u64::from(width) * u64::from(height);
        if bits.len() as u64 != cells.div_ceil(64) {
            return Err(format!("{} words of bits for {width} times {height} cells", bits.len()));
        }
        let unused = (bits.len() as u64 * 64 - cells) as u32;
        if bits.last().is_some_and(|last| last.leading_zeros() < unused) {
            return Err(format!("a bit after the last of {width} times {height} cells"));
        }
        Ok(Self { width, height, bits })
    }
}

impl CellSet {
    /// The empty set of cells of a map with this size.
    ///
    /// # Panics
    /// If the map has more cells than the machine can address.
    #[must_use]
    pub fn new(width: u32, height: u32) -> Self {
        Self { width, height, bits: vec![0; words(width, height)] }
    }

    /// Removes all cells, and takes the size of another map.
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn reset(&mut self, width: u32, height: u32) {
        (self.width, self.height) = (width, height);
        self.bits.clear();
        self.bits.resize(words(width, height), 0);
    }

    /// The width and the height of the map.
    #[must_use]
    pub const fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Whether a cell is in the set.
    #[must_use]
    pub fn contains(&self, at: impl Into<Cell>) -> bool {
        self.index(at.into()).is_some_and(|(word, bit)| self.bits[word] & bit != 0)
    }

    /// Adds a cell. Returns whether it is inside of the map and was not in the set.
    pub fn insert(&mut self, at: impl Into<Cell>) -> bool {
        let Some((word, bit)) = self.index(at.into()) else { return false };
        let is_new = self.bits[word] & bit == 0;
        self.bits[word] |= bit;
        is_new
    }

    /// Removes a cell. Returns whether it was in the set.
    pub fn remove(&mut self, at: impl Into<Cell>) -> bool {
        let Some((word, bit)) = self.index(at.into()) else { return false };
        let was_there = self.bits[word] & bit != 0;
        self.bits[word] &= !bit;
        was_there
    }

    /// Adds all cells of another set. If that is of a map with another size, this set takes that
    /// size and loses its own cells.
    pub fn unite(&mut self, other: &Self) {
        if self.size() != other.size() {
            self.reset(other.width, other.height);
        }
        for (word, other) in self.bits.iter_mut().zip(&other.bits) {
            *word |= other;
        }
    }

    /// The number of cells in the set.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether no cell is in the set.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|word| *word == 0)
    }

    /// The cells in the set, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Cell> + '_ {
        let width = self.width as usize;
        self.bits.iter().enumerate().flat_map(move |(at, word)| {
            let bits = (0..64).filter(move |bit| word >> bit & 1 == 1);
            bits.map(move |bit| at * 64 + bit)
                .map(move |index| Cell::new((index % width) as i32, (index / width) as i32))
        })
    }

    /// The word of a cell, and its bit in the word.
    fn index(&self, at: Cell) -> Option<(usize, u64)> {
        let (x, y) = (u32::try_from(at.x).ok()?, u32::try_from(at.y).ok()?);
        if x >= self.width || y >= self.height {
            return None;
        }
        let index = y as usize * self.width as usize + x as usize;
        Some((index / 64, 1 << (index % 64)))
    }
}

fn words(width: u32, height: u32) -> usize {
    let words = (u64::from(width) * u64::from(height)).div_ceil(64);
    usize::try_from(words).expect("a map has as many cells as the machine can address")
}
