//! [`CellList`]: which agents are near which point, kept by the component that holds the points.
//!
//! Space is divided into cells of one width, and each cell has a list of its agents with their
//! points. The lists are the state of a hook: they are right at once after each change, a load or a
//! rollback. The module [`space`](crate::space) asks them.

use std::fmt::{self, Debug};
use std::ops::{Add, Mul, Neg, Sub};

use ecs::component::ComponentHook;
use ecs::prelude::*;
use rand::distr::uniform::SampleUniform;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A component that holds the point at which an agent is: `S` is `f32` or `f64`, and `D` the number
/// of dimensions, 1 to 3.
///
/// ```
/// use ecs::prelude::*;
/// use ecs_agents::prelude::*;
///
/// #[derive(Component, Clone, Copy)]
/// #[component(hook = CellList<f32, 2>)]
/// struct Position([f32; 2]);
///
/// impl Positioned<f32, 2> for Position {
///     const CELL: f64 = 5.0;
///     fn point(&self) -> [f32; 2] { self.0 }
/// }
/// ```
pub trait Positioned<S, const D: usize> {
    /// The width of the cells: about the usual radius of a question. Other widths change the time
    /// and the order in which agents are found, never which agents are found.
    ///
    /// It is a compile error unless it is between 10⁻³⁰ and 10³⁰.
    const CELL: f64;

    /// The point at which the agent is.
    fn point(&self) -> [S; D];
}

/// A coordinate: `f32` or `f64`.
pub trait Scalar:
    Copy
    + Debug
    + Default
    + PartialOrd
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + SampleUniform
    + Serialize
    + DeserializeOwned
    + sealed::Float
    + 'static
{
}

/// The arithmetic of coordinates that the traits of the standard library do not have.
pub(crate) mod sealed {
    pub trait Float: Sized {
        const INFINITY: Self;
        const EPSILON: Self;
        /// A number whose square is greater than zero, and which is small in each space.
        const TINY: Self;
        fn of(value: f64) -> Self;
        fn to_f64(self) -> f64;
        fn finite(self) -> bool;
        fn modulo(self, by: Self) -> Self;
        fn root(self) -> Self;
        /// The nearest whole number, at most 2¹⁶ from zero. A greater number never gets a smaller one.
        fn cell(self) -> i32;
    }
}

macro_rules! scalar {
    ($float:ident, $magic:literal) => {
        impl Scalar for $float {}
        impl sealed::Float for $float {
            const INFINITY: Self = $float::INFINITY;
            const EPSILON: Self = $float::EPSILON;
            const TINY: Self = 1e-18;
            #[inline]
            fn of(value: f64) -> Self {
                value as Self
            }
            #[inline]
            fn to_f64(self) -> f64 {
                f64::from(self)
            }
            #[inline]
            fn finite(self) -> bool {
                self.is_finite()
            }
            #[inline]
            fn modulo(self, by: Self) -> Self {
                self.rem_euclid(by)
            }
            #[inline]
            fn root(self) -> Self {
                self.sqrt()
            }
            #[inline]
            fn cell(self) -> i32 {
                // the sum has the whole number in its lowest bits; a conversion by `as` is several
                // times as long, and `floor` a call of a function on processors without SSE 4.1
                const MAGIC: $float = $magic;
                let sum = self.max(-65_536.0).min(65_536.0) + MAGIC;
                sum.to_bits().wrapping_sub(MAGIC.to_bits()) as i32
            }
        }
    };
}
// 1.5 times the power of two from which on all numbers are whole
scalar!(f32, 12_582_912.0);
scalar!(f64, 6_755_399_441_055_744.0);

/// An array with the value that the function returns for each axis. `array::from_fn` is not always
/// inlined.
#[inline(always)]
pub(crate) fn axes<T: Copy + Default, const D: usize>(mut f: impl FnMut(usize) -> T) -> [T; D] {
    let mut values = [T::default(); D];
    for (axis, value) in values.iter_mut().enumerate() {
        *value = f(axis);
    }
    values
}

/// An agent and its point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<S, const D: usize> {
    pub(crate) agent: Entity,
    pub(crate) point: [S; D],
}

/// The cells of a row in a block: one list, so that a question reads neighbouring cells at once.
const ROW: usize = 32;

/// The agents in a row of cells: cell by cell, and in a cell in the order of ids.
#[derive(Clone)]
struct Row<S, const D: usize> {
    entries: Vec<Entry<S, D>>,
    /// Where each cell begins in the list, and the end of the list.
    starts: [u32; ROW + 1],
}

/// The order of ids as one number, which is faster to compare.
#[inline(always)]
fn key(agent: Entity) -> u64 {
    agent.to_bits().rotate_left(32)
}

impl<S, const D: usize> Row<S, D> {
    const EMPTY: Self = Self { entries: Vec::new(), starts: [0; ROW + 1] };

    /// The place of an agent in the list, if it is in this cell, and otherwise the place that it
    /// would have.
    #[inline]
    fn find(&self, cell: usize, agent: Entity) -> Result<usize, usize> {
        let (start, end) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
        let entries = &self.entries[start..end];
        match entries.binary_search_by_key(&key(agent), |entry| key(entry.agent)) {
            Ok(at) => Ok(start + at),
            Err(at) => Err(start + at),
        }
    }
}

/// The agents of each cell with their points: the hook of a component that is [`Positioned`].
///
/// A point is refused if a coordinate is NaN or infinite, or more than 32,767 cells from zero (1,023
/// cells in three dimensions).
///
/// # Cost
/// A change moves the agents behind it in a row of 32 cells, which is less than what a question reads
/// there. The list holds blocks of 32 rows (64 in three dimensions) of 32 cells, from the first agent
/// that comes there on, of 160 bytes for each row, and 8 bytes for each block of the box around all
/// agents.
#[derive(Clone)]
pub struct CellList<S, const D: usize> {
    /// The blocks of a box, the first axis first.
    blocks: Vec<Option<Box<[Row<S, D>]>>>,
    /// The first block of the box on each axis.
    low: [i32; D],
    /// The number of blocks on each axis.
    size: [i32; D],
    /// Cells for each unit of length; zero before the first agent.
    per_unit: S,
    len: usize,
}

impl<S: Scalar, const D: usize> Default for CellList<S, D> {
    fn default() -> Self {
        const { assert!(1 <= D && D <= 3, "a `CellList` has one to three dimensions") };
        Self { blocks: Vec::new(), low: [0; D], size: [0; D], per_unit: S::default(), len: 0 }
    }
}

impl<S: Scalar, const D: usize> Debug for CellList<S, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CellList").field("len", &self.len).finish_non_exhaustive()
    }
}

/// The binary logarithm of the number of a block's cells on an axis of a space of `d` dimensions.
const fn side(axis: usize, d: usize) -> u32 {
    if axis == 0 || d == 2 { 5 } else { 3 }
}

impl<S: Scalar, const D: usize> CellList<S, D> {
    /// Cells have numbers from `-END` to `END - 1` on each axis.
    const END: i32 = if D == 3 { 1024 } else { 32_768 };
    /// The number of rows of a block.
    const ROWS: usize = match D {
        1 => 1,
        2 => 1 << side(1, 2),
        _ => 1 << (side(1, 3) + side(2, 3)),
    };

    /// The number of agents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no agents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The width of a cell; `None` before the first agent.
    pub(crate) fn cell_width(&self) -> Option<f64> {
        let per_unit = self.per_unit.to_f64();
        (per_unit > 0.0).then(|| 1.0 / per_unit)
    }

    /// The agents, in no order that means something.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &Entry<S, D>> {
        self.blocks.iter().flatten().flat_map(|block| block.iter().flat_map(|row| &row.entries))
    }

    /// The number of blocks and rows that [`entries`](Self::entries) looks at, at most.
    pub(crate) fn most_lists(&self) -> u64 {
        self.blocks.len() as u64 + self.len as u64 * Self::ROWS as u64
    }

    /// The cells on an axis from one coordinate to another, as far as there are blocks. Empty if the
    /// second is less than the first.
    #[inline(always)]
    pub(crate) fn span(&self, axis: usize, from: S, to: S) -> Span {
        let low = self.low[axis] << side(axis, D);
        let high = ((self.low[axis] + self.size[axis]) << side(axis, D)) - 1;
        Span { first: (from * self.per_unit).cell().max(low), last: (to * self.per_unit).cell().min(high) }
    }

    /// The last cell of the row of `cell`, but at most `last`.
    #[inline(always)]
    pub(crate) fn row_end(cell: i32, last: i32) -> i32 {
        (cell | (ROW as i32 - 1)).min(last)
    }

    /// The agents of cells that are in one row: from a cell, which is in the box, to the one with the
    /// number `last` on the first axis.
    #[inline(always)]
    pub(crate) fn row(&self, cell: [i32; D], last: i32) -> &[Entry<S, D>] {
        match &self.blocks[self.block(Self::block_of(cell))] {
            Some(block) => {
                let row = &block[Self::row_of(cell)];
                let start = row.starts[cell[0] as usize % ROW] as usize;
                &row.entries[start..row.starts[last as usize % ROW + 1] as usize]
            }
            None => &[],
        }
    }

    /// The block of a cell.
    #[inline(always)]
    fn block_of(cell: [i32; D]) -> [i32; D] {
        axes(|axis| cell[axis] >> side(axis, D))
    }

    /// The number of a block, which is in the box.
    #[inline(always)]
    fn block(&self, at: [i32; D]) -> usize {
        let mut number = 0;
        for axis in (0..D).rev() {
            number = number * self.size[axis] as usize + (at[axis] - self.low[axis]) as usize;
        }
        number
    }

    /// The number of a cell's row in its block.
    #[inline(always)]
    fn row_of(cell: [i32; D]) -> usize {
        let mut number = 0;
        for axis in (1..D).rev() {
            let side = side(axis, D);
            number = number << side | (cell[axis] & ((1 << side) - 1)) as usize;
        }
        number
    }

    /// The cell of a point.
    #[inline(always)]
    fn cell(per_unit: S, point: [S; D]) -> [i32; D] {
        axes(|axis| (point[axis] * per_unit).cell())
    }

    /// The row of a cell, whose block is made.
    #[inline]
    fn row_mut(&mut self, cell: [i32; D]) -> &mut Row<S, D> {
        let at = Self::block_of(cell);
        if (0..D).any(|axis| (at[axis] - self.low[axis]) as u32 >= self.size[axis] as u32) {
            self.grow(at);
        }
        let number = self.block(at);
        let new = || vec![Row::EMPTY; Self::ROWS].into_boxed_slice();
        &mut self.blocks[number].get_or_insert_with(new)[Self::row_of(cell)]
    }

    fn add(&mut self, agent: Entity, cell: [i32; D], point: [S; D]) {
        let row = self.row_mut(cell);
        let cell = cell[0] as usize % ROW;
        if let Err(at) = row.find(cell, agent) {
            row.entries.insert(at, Entry { agent, point });
            row.starts[cell + 1..].iter_mut().for_each(|start| *start += 1);
            self.len += 1;
        }
    }

    fn take(&mut self, agent: Entity, cell: [i32; D]) {
        let row = self.row_mut(cell);
        let cell = cell[0] as usize % ROW;
        if let Ok(at) = row.find(cell, agent) {
            row.entries.remove(at);
            row.starts[cell + 1..].iter_mut().for_each(|start| *start -= 1);
            self.len -= 1;
        }
    }

    /// Makes the box larger, so that it has a block. An axis that grows gets at least twice as long,
    /// so that the costs of growing are in proportion to the box.
    #[cold]
    fn grow(&mut self, at: [i32; D]) {
        let mut larger = Self { per_unit: self.per_unit, len: self.len, ..Self::default() };
        for axis in 0..D {
            let end = Self::END >> side(axis, D);
            let (low, size, at) = (self.low[axis], self.size[axis], at[axis]);
            let (low, high) = match size {
                0 => (at, at + 1),
                _ if at < low => (at.min(low - size).max(-end), low + size),
                _ if at >= low + size => (low, (at + 1).max(low + 2 * size).min(end)),
                _ => (low, low + size),
            };
            (larger.low[axis], larger.size[axis]) = (low, high - low);
        }
        larger.blocks.resize_with(larger.size.iter().map(|&size| size as usize).product(), || None);
        for (number, block) in self.blocks.drain(..).enumerate() {
            let mut rest = number;
            let at = axes(|axis| {
                let size = self.size[axis] as usize;
                let along = rest % size;
                rest /= size;
                self.low[axis] + along as i32
            });
            let number = larger.block(at);
            larger.blocks[number] = block;
        }
        *self = larger;
    }
}

/// Neighbouring cells on an axis.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(crate) struct Span {
    pub(crate) first: i32,
    pub(crate) last: i32,
}

impl Span {
    pub(crate) const EMPTY: Self = Self { first: 0, last: -1 };

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.last < self.first
    }
}

/// The number of cells for each unit of length.
#[inline]
fn per_unit<T: Positioned<S, D>, S: Scalar, const D: usize>() -> S {
    const { assert!(1e-30 <= T::CELL && T::CELL <= 1e30, "the width of cells is not in 1e-30..=1e30") };
    S::of(1.0 / T::CELL)
}

impl<T: Positioned<S, D>, S: Scalar, const D: usize> ComponentHook<T> for CellList<S, D> {
    fn validate(&self, _: Option<&T>, new: &T) -> Result<(), &'static str> {
        let (point, end) = (new.point(), S::of(f64::from(Self::END - 1)));
        let per_unit = per_unit::<T, S, D>();
        if point.iter().all(|&at| -end <= at * per_unit && at * per_unit <= end) {
            return Ok(());
        }
        Err(match (point.iter().all(|at| at.finite()), D) {
            (false, _) => "a coordinate of the point is NaN or infinite",
            (true, 3) => "the point is more than 1,023 cells from zero",
            (true, _) => "the point is more than 32,767 cells from zero",
        })
    }

    fn inserted(&mut self, agent: Entity, old: Option<&T>, new: &T) {
        self.per_unit = per_unit::<T, S, D>();
        let point = new.point();
        let cell = Self::cell(self.per_unit, point);
        if let Some(old) = old {
            let former = Self::cell(self.per_unit, old.point());
            if former == cell {
                let row = self.row_mut(cell);
                if let Ok(at) = row.find(cell[0] as usize % ROW, agent) {
                    row.entries[at].point = point;
                    return;
                }
            }
            self.take(agent, former);
        }
        self.add(agent, cell, point);
    }

    fn removed(&mut self, agent: Entity, old: &T) {
        self.take(agent, Self::cell(self.per_unit, old.point()));
    }
}
