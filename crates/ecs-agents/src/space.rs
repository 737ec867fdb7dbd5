//! Continuous space: agents at points, in one to three dimensions.
//!
//! A [`ContinuousSpace`] is a shape and holds no agents, as a [`Grid`](crate::grid::Grid) is. Where
//! an agent is, says a component of the program, which is [`Positioned`](crate::cell_list::Positioned)
//! and has a [`CellList`] as its hook. The shape asks the list.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_agents::prelude::*;
//!
//! #[derive(Component, Clone, Copy)]
//! #[component(hook = CellList<f32, 2>)]
//! struct Position([f32; 2]);
//!
//! impl Positioned<f32, 2> for Position {
//!     const CELL: f64 = 5.0;
//!     fn point(&self) -> [f32; 2] { self.0 }
//! }
//!
//! world! {
//!     struct Sky {
//!         include ecs_agents::random::random;
//!         components { Position }
//!         resources { ContinuousSpace<f32, 2> }
//!     }
//!     schedule step { include ecs_agents::random::next_step; gather }
//! }
//!
//! /// Each bird in turn, in random order: it flies to the middle of the birds near it.
//! #[system(Sky)]
//! fn gather(
//!     birds: Query<Entity>,
//!     mut positions: Storage<Position>,
//!     space: Res<ContinuousSpace<f32, 2>>,
//!     mut random: ResMut<Random>,
//! ) {
//!     for bird in random.shuffled(birds.iter()) {
//!         let Some(&Position(here)) = positions.get(bird) else { continue };
//!         let (mut sum, mut number) = ([0.0, 0.0], 0.0);
//!         space.for_each_within(&positions.hook_state(), here, 5.0, |near| {
//!             sum = [sum[0] + near.offset[0], sum[1] + near.offset[1]];
//!             number += 1.0;
//!         });
//!         let there = space.shift(here, sum.map(|sum| sum / number));
//!         positions.insert(bird, Position(there)).expect("the point is finite");
//!     }
//! }
//!
//! let space = ContinuousSpace::torus([100.0, 100.0]);
//! let mut sky = Sky::new(Random::new(1), space);
//! let (left, right) = (sky.spawn(Position([99.0, 50.0])), sky.spawn(Position([1.0, 50.0])));
//! sky.step();
//! let [left, right] = [left, right].map(|bird| sky.get::<Position>(bird).unwrap().0);
//! assert!(space.distance(left, right) < 1.0, "they met across the edge");
//! ```

use std::iter::FusedIterator;
use std::{iter, slice};

use ecs::prelude::*;
use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};

use crate::cell_list::{CellList, Entry, Scalar, Span, axes};

/// The shape of a continuous space: its extent on each of its `D` axes, from zero, and whether it is
/// a torus, of which each edge continues at the opposite one. A value, and a resource.
///
/// ```
/// use ecs_agents::prelude::*;
///
/// let torus = ContinuousSpace::torus([10.0, 10.0]);
/// assert_eq!(torus.normalize([-1.0, 12.5]), [9.0, 2.5]);
/// assert_eq!(torus.offset([9.0, 0.0], [1.0, 0.0]), [2.0, 0.0]);
/// let bounded = ContinuousSpace::bounded([10.0, 10.0]);
/// assert_eq!(bounded.normalize([-1.0, 12.5]), [0.0, 10.0]);
/// assert_eq!(bounded.offset([9.0, 0.0], [1.0, 0.0]), [-8.0, 0.0]);
/// ```
///
/// # Agents outside
/// In a bounded space agents outside of the extent are found like all others. In a torus they may be
/// missed: give an agent a point that was normalized.
#[derive(Resource, Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
#[serde(try_from = "SavedSpace<S>", into = "SavedSpace<S>", bound = "")]
pub struct ContinuousSpace<S: Scalar, const D: usize> {
    extent: [S; D],
    torus: bool,
}

/// A space in a file.
#[derive(Serialize, Deserialize)]
#[serde(bound = "S: Scalar")]
struct SavedSpace<S> {
    extent: Vec<S>,
    torus: bool,
}

impl<S: Scalar, const D: usize> From<ContinuousSpace<S, D>> for SavedSpace<S> {
    fn from(space: ContinuousSpace<S, D>) -> Self {
        Self { extent: space.extent.to_vec(), torus: space.torus }
    }
}

impl<S: Scalar, const D: usize> TryFrom<SavedSpace<S>> for ContinuousSpace<S, D> {
    type Error = &'static str;
    fn try_from(saved: SavedSpace<S>) -> Result<Self, Self::Error> {
        let extent = saved.extent.try_into().map_err(|_| "the space has another number of dimensions")?;
        Self::checked(extent, saved.torus).ok_or(WRONG_EXTENT)
    }
}

const WRONG_EXTENT: &str = "the extents of a space are finite numbers greater than zero";

/// An agent near a point.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Neighbour<S, const D: usize> {
    /// The agent.
    pub agent: Entity,
    /// Its point.
    pub point: [S; D],
    /// The shortest way from the point that was asked about to the agent.
    pub offset: [S; D],
    /// The square of its length.
    pub distance_squared: S,
}

impl<S: Scalar, const D: usize> ContinuousSpace<S, D> {
    /// A space that continues at the opposite edge.
    ///
    /// # Panics
    /// If an extent is not a finite number greater than zero.
    #[must_use]
    pub fn torus(extent: [S; D]) -> Self {
        Self::checked(extent, true).expect(WRONG_EXTENT)
    }

    /// A space that ends at its edges.
    ///
    /// # Panics
    /// If an extent is not a finite number greater than zero.
    #[must_use]
    pub fn bounded(extent: [S; D]) -> Self {
        Self::checked(extent, false).expect(WRONG_EXTENT)
    }

    fn checked(extent: [S; D], torus: bool) -> Option<Self> {
        let is_right = |&length: &S| length > S::default() && length.finite();
        extent.iter().all(is_right).then_some(Self { extent, torus })
    }

    /// The extent on each axis.
    #[must_use]
    pub fn extent(&self) -> [S; D] {
        self.extent
    }

    /// Whether the space is a torus.
    #[must_use]
    pub fn is_torus(&self) -> bool {
        self.torus
    }

    /// Whether the point is in the space. In a torus the upper edges are not: they are the lower
    /// ones.
    #[must_use]
    #[inline]
    pub fn contains(&self, point: [S; D]) -> bool {
        let is_in = |axis: usize| {
            let (at, extent) = (point[axis], self.extent[axis]);
            S::default() <= at && (at < extent || at == extent && !self.torus)
        };
        (0..D).all(is_in)
    }

    /// The point in the space that a point is: in a torus each coordinate is taken modulo the
    /// extent, in a bounded space it becomes the nearest one of the space. NaN stays NaN, and an
    /// infinite coordinate of a torus becomes NaN.
    #[must_use]
    #[inline]
    pub fn normalize(&self, point: [S; D]) -> [S; D] {
        if self.contains(point) { point } else { self.brought_in(point) }
    }

    fn brought_in(&self, point: [S; D]) -> [S; D] {
        axes(|axis| {
            let (at, extent) = (point[axis], self.extent[axis]);
            if self.torus {
                let at = at.modulo(extent);
                // a small negative number is rounded to the extent
                if at >= extent { S::default() } else { at }
            } else if at < S::default() {
                S::default()
            } else if at > extent {
                extent
            } else {
                at
            }
        })
    }

    /// The point that is this far away from another one, normalized: the next point of an agent with
    /// this velocity.
    #[must_use]
    #[inline]
    pub fn shift(&self, point: [S; D], by: [S; D]) -> [S; D] {
        self.normalize(axes(|axis| point[axis] + by[axis]))
    }

    /// The shortest way from one point to another, both of which are normalized. At the same
    /// distance in both directions of a torus, that within the space.
    #[must_use]
    #[inline]
    pub fn offset(&self, from: [S; D], to: [S; D]) -> [S; D] {
        self.metric().offset(self.normalize(from), self.normalize(to))
    }

    /// The square of the distance of two points, both of which are normalized.
    #[must_use]
    #[inline]
    pub fn distance_squared(&self, one: [S; D], other: [S; D]) -> S {
        length_squared(self.offset(one, other))
    }

    /// The distance of two points, both of which are normalized.
    #[must_use]
    #[inline]
    pub fn distance(&self, one: [S; D], other: [S; D]) -> S {
        self.distance_squared(one, other).root()
    }

    /// A point of the space, each with the same probability.
    #[must_use]
    pub fn random(&self, random: &mut impl Rng) -> [S; D] {
        // the product of a number below one and a subnormal extent can be rounded to the extent
        self.normalize(self.extent.map(|extent| random.random_range(S::default()..extent)))
    }

    #[inline]
    fn metric(&self) -> Metric<S, D> {
        let half = if self.torus { S::of(0.5) } else { S::INFINITY };
        Metric { extent: self.extent, half: axes(|axis| self.extent[axis] * half) }
    }

    /// The agents that are at most this far away from a point, which is normalized. The agent that
    /// asks is one of them. There are none if the radius is negative, or if the radius or the point
    /// is NaN.
    ///
    /// The squares of distances are compared. Those of `f32` are zero below 10⁻²³ and infinite above
    /// 10¹⁹: such distances count as equal.
    ///
    /// The order follows from the points and the ids alone: cell by cell of the [`CellList`], along
    /// the first axis first, and in a cell by ids. What is reached across the upper edge of a torus
    /// comes first.
    ///
    /// # Cost
    /// That of all agents in the cells that the radius reaches, and of a look at each 32 cells of a
    /// row. Nothing is collected.
    /// [`for_each_within`](Self::for_each_within) is faster than a `for` loop.
    #[inline]
    pub fn within<'a>(&self, agents: &'a CellList<S, D>, point: [S; D], radius: S) -> Within<'a, S, D> {
        let (reached, test) = self.question(agents, point, radius);
        let rows = Rows { agents, reached, part: 0, spans: [Span::EMPTY; D], at: [0; D], is_done: true };
        Within { test, rows, entries: [].iter() }
    }

    /// Calls the function with each agent that [`within`](Self::within) finds, in the same order.
    #[inline]
    pub fn for_each_within(
        &self,
        agents: &CellList<S, D>,
        point: [S; D],
        radius: S,
        mut f: impl FnMut(Neighbour<S, D>),
    ) {
        let (reached, test) = self.question(agents, point, radius);
        for part in 0..reached.parts {
            let (spans, turn) = (reached.part(part), reached.turn(part));
            // half-open: the loops of `..=` are slower
            let cells = |axis: usize| if axis < D { spans[axis].first..spans[axis].last + 1 } else { 0..1 };
            for z in cells(2) {
                for y in cells(1) {
                    let mut x = cells(0);
                    while x.start < x.end {
                        let last = CellList::<S, D>::row_end(x.start, x.end - 1);
                        let mut row = agents.row(axes(|axis| [x.start, y, z][axis]), last);
                        while !row.is_empty() {
                            let (run, turn) = if reached.has_turns { (row, turn) } else { test.run(row) };
                            run.iter().filter_map(|entry| test.pass(entry, turn)).for_each(&mut f);
                            row = &row[run.len()..];
                        }
                        x.start = last + 1;
                    }
                }
            }
        }
    }

    /// The cells that a radius reaches, and the test of the agents in them.
    #[inline(always)]
    fn question(&self, agents: &CellList<S, D>, point: [S; D], radius: S) -> (Reached<S, D>, Test<S, D>) {
        let centre = self.normalize(point);
        let test = Test { metric: self.metric(), centre, limit: radius * radius };
        let is_right = radius >= S::default() && centre.iter().all(|at| at.finite());
        // the distance of an agent that is a little farther away than the radius can be rounded down
        // to it, and its square to zero
        let mut size = radius;
        for (at, extent) in centre.into_iter().zip(self.extent) {
            size = size + extent + if at < S::default() { -at } else { at };
        }
        let reach = radius + size * (S::EPSILON * S::of(4.0)) + S::TINY;
        let (low, high): ([S; D], [S; D]) =
            (axes(|axis| centre[axis] - reach), axes(|axis| centre[axis] + reach));
        let is_inside = |axis: usize| S::default() <= low[axis] && high[axis] < self.extent[axis];
        let reached = if !is_right {
            Reached::one([Span::EMPTY; D])
        } else if !self.torus || (0..D).all(is_inside) {
            Reached::one(axes(|axis| agents.span(axis, low[axis], high[axis])))
        } else {
            self.across_edges(agents, low, high, reach)
        };
        (reached, test)
    }

    /// The cells of a torus from one point to another, of which one is outside.
    fn across_edges(&self, agents: &CellList<S, D>, low: [S; D], high: [S; D], reach: S) -> Reached<S, D> {
        let mut reached = Reached::one([Span::EMPTY; D]);
        for axis in 0..D {
            let (low, high, extent, zero) = (low[axis], high[axis], self.extent[axis], S::default());
            let span = |from, to| agents.span(axis, from, to);
            // a little less than the extent, so that rounding does not matter
            let (first, second) = if reach + reach >= extent * S::of(0.999) {
                reached.has_turns = false;
                (span(zero, extent), Span::EMPTY)
            } else if low < zero {
                reached.turns[1][axis] = extent;
                (span(zero, high), span(low + extent, extent))
            } else if high >= extent {
                reached.turns[0][axis] = -extent;
                (span(zero, high - extent), span(low, extent))
            } else {
                (span(low, high), Span::EMPTY)
            };
            let one_cell = !first.is_empty() && !second.is_empty() && second.first <= first.last;
            (reached.spans[0][axis], reached.spans[1][axis]) = if one_cell {
                reached.has_turns = false;
                (Span { first: first.first, last: second.last.max(first.last) }, Span::EMPTY)
            } else {
                (first, second)
            };
        }
        reached.parts = 1 << D;
        reached
    }

    /// The `number` agents that are nearest to a point, which is normalized: the nearest first, and
    /// agents at the same distance in the order of ids. The agent that asks is one of them. There
    /// are fewer if there are fewer agents, and none if the point is NaN.
    ///
    /// # Cost
    /// It asks for the agents within twice the radius, until there are enough, and sorts them. Where
    /// that would be a look at more cells than there are agents, because most cells are empty, it
    /// looks at all agents.
    #[must_use]
    pub fn nearest(&self, agents: &CellList<S, D>, point: [S; D], number: usize) -> Vec<Neighbour<S, D>> {
        let Some(width) = agents.cell_width().filter(|_| number > 0) else { return Vec::new() };
        let mut radius = S::of(width);
        let mut found: Vec<_> = self.within(agents, point, radius).collect();
        while found.len() < number.min(agents.len()) && radius.finite() {
            radius = if self.reaches_all(agents, point, radius) { S::INFINITY } else { radius + radius };
            found.clear();
            let (reached, test) = self.question(agents, point, radius);
            if reached.rows() > agents.most_lists() {
                found.extend(agents.entries().filter_map(|entry| test.pass(entry, test.turn(entry))));
            } else {
                found.extend(self.within(agents, point, radius));
            }
        }
        let order = |one: &Neighbour<S, D>, other: &Neighbour<S, D>| {
            let distances = one.distance_squared.partial_cmp(&other.distance_squared);
            distances.expect("a distance is not NaN").then(one.agent.cmp(&other.agent))
        };
        if number < found.len() {
            found.select_nth_unstable_by(number, order);
            found.truncate(number);
        }
        found.sort_unstable_by(order);
        found
    }

    /// Whether a radius reaches all cells that a greater one would reach.
    fn reaches_all(&self, agents: &CellList<S, D>, point: [S; D], radius: S) -> bool {
        let cells = |radius| self.question(agents, point, radius).0.cells();
        cells(radius) == cells(S::INFINITY)
    }
}

/// The cells that a question reaches: a box, or in a torus up to two spans on each axis.
#[derive(Clone, Copy, Debug)]
struct Reached<S, const D: usize> {
    /// The first and the second span of each axis.
    spans: [[Span; D]; 2],
    /// For the agents in each span that are within the radius, what [`Metric::turn`] returns.
    turns: [[S; D]; 2],
    /// Whether all agents in a span have the same turn. Not if the radius is half of an extent, or
    /// both edges are in one cell.
    has_turns: bool,
    /// The number of boxes, some of which may be empty: 2 to the number of axes, if an axis has two
    /// spans.
    parts: usize,
}

impl<S: Scalar, const D: usize> Reached<S, D> {
    #[inline(always)]
    fn one(spans: [Span; D]) -> Self {
        let (spans, turns) = ([spans, [Span::EMPTY; D]], [[S::default(); D]; 2]);
        Self { spans, turns, has_turns: true, parts: 1 }
    }

    /// A box: the bits of its number are the spans.
    #[inline(always)]
    fn part(&self, part: usize) -> [Span; D] {
        axes(|axis| if part >> axis & 1 == 0 { self.spans[0][axis] } else { self.spans[1][axis] })
    }

    /// The turn of the agents in a box.
    #[inline(always)]
    fn turn(&self, part: usize) -> [S; D] {
        axes(|axis| if part >> axis & 1 == 0 { self.turns[0][axis] } else { self.turns[1][axis] })
    }

    /// The number of parts of rows, at most.
    fn rows(&self) -> u64 {
        let [first, rest @ ..] = &self.cells()[..] else { return 0 };
        let parts = if *first > 0 { *first as u64 / 32 + 2 } else { 0 };
        rest.iter().fold(parts, |rows, &cells| rows * cells as u64)
    }

    /// The number of cells on each axis.
    fn cells(&self) -> [i32; D] {
        let cells = |span: Span| (span.last - span.first + 1).max(0);
        axes(|axis| cells(self.spans[0][axis]) + cells(self.spans[1][axis]))
    }
}

/// The constants from which distances follow.
#[derive(Clone, Copy, Debug)]
struct Metric<S, const D: usize> {
    extent: [S; D],
    /// The greatest distance on each axis: half of the extent of a torus, and infinite otherwise.
    half: [S; D],
}

impl<S: Scalar, const D: usize> Metric<S, D> {
    /// The shortest way between two points of the space.
    #[inline(always)]
    fn offset(&self, from: [S; D], to: [S; D]) -> [S; D] {
        let turn: [S; D] = self.turn(from, to);
        axes(|axis| (to[axis] - from[axis]) - turn[axis])
    }

    /// The number to subtract from the difference of two points, so that it is the shortest way:
    /// an extent, with the sign of the difference, where the shortest way crosses an edge, and zero
    /// elsewhere.
    #[inline(always)]
    fn turn(&self, from: [S; D], to: [S; D]) -> [S; D] {
        axes(|axis| {
            let (by, half, extent) = (to[axis] - from[axis], self.half[axis], self.extent[axis]);
            let turn = if by > half { extent } else { S::default() };
            if by < -half { -extent } else { turn }
        })
    }
}

#[inline(always)]
fn length_squared<S: Scalar, const D: usize>(way: [S; D]) -> S {
    way.into_iter().fold(S::default(), |sum, by| sum + by * by)
}

/// The agents near a point, of [`ContinuousSpace::within`].
#[derive(Clone, Debug)]
pub struct Within<'a, S: Scalar, const D: usize> {
    test: Test<S, D>,
    rows: Rows<'a, S, D>,
    entries: slice::Iter<'a, Entry<S, D>>,
}

/// Whether an agent is within a radius.
#[derive(Clone, Copy, Debug)]
struct Test<S, const D: usize> {
    metric: Metric<S, D>,
    centre: [S; D],
    /// The square of the radius.
    limit: S,
}

impl<S: Scalar, const D: usize> Test<S, D> {
    /// The agent, if it is within the radius and has this turn.
    #[inline(always)]
    fn pass(&self, &Entry { agent, point }: &Entry<S, D>, turn: [S; D]) -> Option<Neighbour<S, D>> {
        let offset = axes(|axis| (point[axis] - self.centre[axis]) - turn[axis]);
        let distance_squared = length_squared(offset);
        (distance_squared <= self.limit).then_some(Neighbour { agent, point, offset, distance_squared })
    }

    /// The turn of an agent.
    #[inline(always)]
    fn turn(&self, entry: &Entry<S, D>) -> [S; D] {
        self.metric.turn(self.centre, entry.point)
    }

    /// The first agents of a list, which have the same turn, and this turn.
    #[inline(never)]
    fn run<'a>(&self, list: &'a [Entry<S, D>]) -> (&'a [Entry<S, D>], [S; D]) {
        let turn = list.first().map_or([S::default(); D], |first| self.turn(first));
        let end = list.iter().position(|entry| self.turn(entry) != turn).unwrap_or(list.len());
        (&list[..end], turn)
    }
}

impl<S: Scalar, const D: usize> Iterator for Within<'_, S, D> {
    type Item = Neighbour<S, D>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            for entry in self.entries.by_ref() {
                if let Some(near) = self.test.pass(entry, self.test.turn(entry)) {
                    return Some(near);
                }
            }
            self.entries = self.rows.next()?.iter();
        }
    }

    #[inline]
    fn fold<B, F: FnMut(B, Self::Item) -> B>(self, start: B, mut f: F) -> B {
        // loops, since `fold` of the parts is not inlined into itself
        let mut sum = start;
        for list in iter::once(self.entries.as_slice()).chain(self.rows) {
            for entry in list {
                if let Some(near) = self.test.pass(entry, self.test.turn(entry)) {
                    sum = f(sum, near);
                }
            }
        }
        sum
    }
}

impl<S: Scalar, const D: usize> FusedIterator for Within<'_, S, D> {}

/// Walks through the cells that a question reaches, by parts of rows.
#[derive(Clone, Debug)]
struct Rows<'a, S: Scalar, const D: usize> {
    agents: &'a CellList<S, D>,
    reached: Reached<S, D>,
    /// The number of the next box.
    part: usize,
    /// The present box.
    spans: [Span; D],
    /// The cell of it that comes next.
    at: [i32; D],
    /// Whether all of the box was visited.
    is_done: bool,
}

impl<'a, S: Scalar, const D: usize> Iterator for Rows<'a, S, D> {
    type Item = &'a [Entry<S, D>];

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        while self.is_done {
            if self.part == self.reached.parts {
                return None;
            }
            self.spans = self.reached.part(self.part);
            self.at = axes(|axis| self.spans[axis].first);
            self.is_done = self.spans.iter().any(|span| span.is_empty());
            self.part += 1;
        }
        let last = CellList::<S, D>::row_end(self.at[0], self.spans[0].last);
        let row = self.agents.row(self.at, last);
        self.at[0] = last;
        // the next cell: on the first axis that has one left, from the start on those before
        for axis in 0..D {
            if self.at[axis] < self.spans[axis].last {
                self.at[axis] += 1;
                return Some(row);
            }
            self.at[axis] = self.spans[axis].first;
        }
        self.is_done = true;
        Some(row)
    }
}
