//! Agents in cells: two components, whose hooks know who is in which cell.
//!
//! - [`Cell`]: any number of agents in a cell.
//! - [`SingleCell`]: one agent in a cell. A second one is refused, wherever it comes from: a spawn,
//!   a command, a file.
//!
//! Which agents are in a cell is known at once after each change: [`Storage`] moves agents and
//! answers in the same system, [`HookState`](ecs::system::HookState) answers in systems that only
//! look. The answer follows from the values, so that it is right after a despawn, a load, a
//! rollback, and on each machine.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_agents::prelude::*;
//!
//! #[derive(Component, PartialEq)]
//! enum Group { Red, Blue }
//!
//! world! {
//!     struct Town {
//!         include ecs_agents::random::random;
//!         components { SingleCell, Group }
//!         resources { Grid }
//!     }
//!     schedule step { include ecs_agents::random::next_step; settle }
//! }
//!
//! /// Schelling's segregation: who has fewer than three neighbours of the own group moves away.
//! #[system(Town)]
//! fn settle(mut cells: Storage<SingleCell>, groups: Query<(Entity, &Group)>, grid: Res<Grid>, mut random: ResMut<Random>) {
//!     for (agent, group) in random.shuffled(groups.iter()) {
//!         let Some(&SingleCell(here)) = cells.get(agent) else { continue };
//!         let agents = cells.hook_state();
//!         let near = grid.moore(here, 1).filter_map(|cell| agents.one(cell));
//!         if near.filter(|&other| groups.get(other).is_some_and(|(_, other)| other == group)).count() < 3 {
//!             if let Some(cell) = grid.random_empty(&agents, &mut *random) {
//!                 cells.insert(agent, SingleCell(cell)).unwrap();
//!             }
//!         }
//!     }
//! }
//!
//! let mut town = Town::new(Random::new(1), Grid::torus(10, 10));
//! for (i, cell) in Grid::torus(10, 8).cells().enumerate() {
//!     town.spawn((SingleCell(cell), if i % 2 == 0 { Group::Red } else { Group::Blue }));
//! }
//! for _ in 0..10 {
//!     town.step();
//! }
//! assert!(town.try_spawn((SingleCell(Cell { x: 0, y: 0 }), Group::Red)).is_err() || town.query::<&Group>().len() == 81);
//! ```

use std::fmt;

use ecs::component::ComponentHook;
use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// A cell, by its column and its row from 0. As a component: the cell in which an agent is, beside
/// any number of others.
#[derive(Component, Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[component(hook = CellIndex)]
pub struct Cell {
    /// The column.
    pub x: u32,
    /// The row.
    pub y: u32,
}

/// The cell that an agent has for itself: another agent in this cell is refused.
#[derive(Component, Serialize, Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[component(hook = CellIndex)]
pub struct SingleCell(pub Cell);

impl From<SingleCell> for Cell {
    fn from(SingleCell(cell): SingleCell) -> Self {
        cell
    }
}

impl Cell {
    /// One more than the largest column and row of an agent.
    pub const END: u32 = 1 << 16;
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.x, self.y)
    }
}

/// The columns and rows of a [`Block`].
const SIDE: u32 = 32;

/// The agents of a cell: one, or the place of their list.
#[derive(Clone, Copy)]
enum Agents {
    One(Entity),
    /// The place in [`Lists`], or [`EMPTY`].
    Several(u32),
}

/// The place of a list that does not exist: the cell is empty.
const EMPTY: u32 = u32::MAX;

// what is asked of a cell is read from memory at random places
const _: () = assert!(size_of::<Agents>() == 8);

/// The agents of a square of cells.
type Block = [Agents; (SIDE * SIDE) as usize];

/// Which agents are in which cell: the hook of [`Cell`] and of [`SingleCell`].
///
/// A world of its own size for each model: the index holds squares of 32 times 32 cells, from the
/// first agent that comes there on, and needs 8 KB for each.
#[derive(Clone, Default)]
pub struct CellIndex {
    squares: Squares,
    lists: Lists,
}

/// The agents of cells with two or more.
#[derive(Clone, Default)]
struct Lists {
    all: Vec<List>,
    /// The places of lists that no cell has.
    free: Vec<u32>,
}

/// The agents that a [`List`] holds itself.
const FEW: usize = 4;

/// The agents of a cell in the order of their ids: in one line of the processor's cache as long as
/// they are few.
#[derive(Clone)]
#[repr(align(64))]
struct List {
    /// The agents, and [`NOBODY`] behind them; nobody if the agents are many.
    few: [Entity; FEW],
    number: u32,
    /// The agents if they are more than [`FEW`]; empty if not.
    many: Vec<Entity>,
}

const _: () = assert!(size_of::<List>() == 64);

/// An id behind that of each agent.
const NOBODY: Entity = Entity::from_bits((1 << 63) - 1).expect("the id of no entity");

/// The squares, row by row. Their numbers of columns and rows are powers of two.
#[derive(Clone, Default)]
struct Squares {
    blocks: Vec<Option<Box<Block>>>,
    columns: u32,
    rows: u32,
}

impl CellIndex {
    /// The agents in a cell, in the order of their ids.
    #[must_use]
    #[inline]
    pub fn at(&self, cell: Cell) -> &[Entity] {
        match self.squares.agents(cell) {
            Some(Agents::One(agent)) => std::slice::from_ref(agent),
            Some(&Agents::Several(place)) => self.lists.all.get(place as usize).map_or(&[], List::agents),
            None => &[],
        }
    }

    /// The agent in a cell, or the first in the order of ids.
    #[must_use]
    #[inline]
    pub fn one(&self, cell: Cell) -> Option<Entity> {
        match self.squares.agents(cell)? {
            Agents::One(agent) => Some(*agent),
            &Agents::Several(place) => self.lists.all.get(place as usize)?.agents().first().copied(),
        }
    }

    /// Whether no agent is in a cell.
    #[must_use]
    #[inline]
    pub fn is_empty_at(&self, cell: Cell) -> bool {
        matches!(self.squares.agents(cell), None | Some(Agents::Several(EMPTY)))
    }

    #[inline]
    fn insert(&mut self, agent: Entity, cell: Cell) {
        let agents = self.squares.agents_mut(cell);
        match *agents {
            Agents::Several(EMPTY) => *agents = Agents::One(agent),
            Agents::One(other) if other == agent => {}
            Agents::One(other) => *agents = Agents::Several(self.lists.of([other, agent])),
            Agents::Several(place) => self.lists.insert(place, agent),
        }
    }

    #[inline]
    fn remove(&mut self, agent: Entity, cell: Cell) {
        let agents = self.squares.agents_mut(cell);
        match *agents {
            Agents::One(other) if other == agent => *agents = Agents::Several(EMPTY),
            Agents::One(_) | Agents::Several(EMPTY) => {}
            Agents::Several(place) => {
                if let Some(last) = self.lists.remove(place, agent) {
                    *agents = Agents::One(last);
                }
            }
        }
    }
}

impl Lists {
    /// Makes the list of two agents, and returns its place.
    #[inline]
    fn of(&mut self, [a, b]: [Entity; 2]) -> u32 {
        let place = self.free.pop().unwrap_or_else(|| {
            self.all.push(List { few: [NOBODY; FEW], number: 0, many: Vec::new() });
            self.all.len() as u32 - 1
        });
        let list = &mut self.all[place as usize];
        list.few[..2].copy_from_slice(&[a.min(b), a.max(b)]);
        list.number = 2;
        place
    }

    #[inline]
    fn insert(&mut self, place: u32, agent: Entity) {
        self.all[place as usize].insert(agent);
    }

    /// Removes an agent from a list. If one is left, returns it, and ends the list.
    #[inline]
    fn remove(&mut self, place: u32, agent: Entity) -> Option<Entity> {
        let list = &mut self.all[place as usize];
        list.remove(agent);
        if list.number != 1 {
            return None;
        }
        list.number = 0;
        self.free.push(place);
        Some(std::mem::replace(&mut list.few[0], NOBODY))
    }
}

// Few agents are sorted without branches: which of them is the greater one cannot be predicted.
impl List {
    #[inline]
    fn agents(&self) -> &[Entity] {
        if self.many.is_empty() { &self.few[..self.number as usize] } else { &self.many }
    }

    #[inline]
    fn insert(&mut self, mut agent: Entity) {
        if self.number as usize >= FEW {
            return self.insert_among_many(agent);
        }
        for held in &mut self.few {
            let is_less = order(*held) < order(agent);
            (*held, agent) = if is_less { (*held, agent) } else { (agent, *held) };
        }
        self.number += 1;
    }

    #[cold]
    #[inline(never)]
    fn insert_among_many(&mut self, agent: Entity) {
        if self.many.is_empty() {
            self.many.extend(std::mem::replace(&mut self.few, [NOBODY; FEW]));
        }
        if let Err(at) = self.many.binary_search(&agent) {
            self.many.insert(at, agent);
        }
        self.number = self.many.len() as u32;
    }

    #[inline]
    fn remove(&mut self, agent: Entity) {
        if self.number as usize > FEW {
            return self.remove_from_many(agent);
        }
        let mut is_found = false;
        for i in 0..FEW {
            is_found |= self.few[i] == agent;
            let next = if i + 1 < FEW { self.few[i + 1] } else { NOBODY };
            self.few[i] = if is_found { next } else { self.few[i] };
        }
        self.number -= u32::from(is_found);
    }

    #[cold]
    #[inline(never)]
    fn remove_from_many(&mut self, agent: Entity) {
        if let Ok(at) = self.many.binary_search(&agent) {
            self.many.remove(at);
        }
        self.number = self.many.len() as u32;
        if let Ok(few) = <[Entity; FEW]>::try_from(&*self.many) {
            self.few = few;
            self.many.clear();
        }
    }
}

/// A number that is in the order of the ids, which are compared by it at once.
#[inline]
fn order(agent: Entity) -> u64 {
    agent.to_bits().rotate_left(32)
}

impl Squares {
    /// The agents of a cell; `None` if its square has none.
    #[inline]
    fn agents(&self, cell: Cell) -> Option<&Agents> {
        let (x, y) = (cell.x / SIDE, cell.y / SIDE);
        if x >= self.columns {
            return None;
        }
        let block = self.blocks.get(y as usize * self.columns as usize + x as usize)?;
        Some(&block.as_ref()?[within(cell)])
    }

    /// The agents of a cell, whose square is made.
    #[inline(always)]
    fn agents_mut(&mut self, cell: Cell) -> &mut Agents {
        let (x, y) = (cell.x / SIDE, cell.y / SIDE);
        if x >= self.columns || y >= self.rows {
            self.grow(x + 1, y + 1);
        }
        let block = &mut self.blocks[(y * self.columns + x) as usize];
        &mut block.get_or_insert_with(Self::empty)[within(cell)]
    }

    #[cold]
    #[inline(never)]
    fn empty() -> Box<Block> {
        Box::new([Agents::Several(EMPTY); (SIDE * SIDE) as usize])
    }

    /// Makes room for so many columns and rows of squares.
    #[cold]
    fn grow(&mut self, columns: u32, rows: u32) {
        let columns = self.columns.max(columns.next_power_of_two());
        let rows = self.rows.max(rows.next_power_of_two());
        let mut blocks: Vec<_> = (0..columns * rows).map(|_| None).collect();
        for (i, block) in self.blocks.drain(..).enumerate() {
            let (x, y) = (i as u32 % self.columns, i as u32 / self.columns);
            blocks[(y * columns + x) as usize] = block;
        }
        (self.blocks, self.columns, self.rows) = (blocks, columns, rows);
    }
}

/// The place of a cell in its square.
#[inline]
fn within(cell: Cell) -> usize {
    ((cell.y % SIDE) * SIDE + cell.x % SIDE) as usize
}

impl fmt::Debug for CellIndex {
    /// The cells with agents.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let has_block =
            |x: u32, y: u32| self.squares.blocks[(y / SIDE * self.squares.columns + x) as usize].is_some();
        let in_row = |y: u32| {
            let squares = (0..self.squares.columns).filter(move |&x| has_block(x, y));
            squares.flat_map(move |x| (x * SIDE..(x + 1) * SIDE).map(move |x| Cell { x, y }))
        };
        let cells = (0..self.squares.rows * SIDE).flat_map(in_row);
        f.debug_map()
            .entries(cells.map(|cell| (cell, self.at(cell))).filter(|(_, agents)| !agents.is_empty()))
            .finish()
    }
}

/// Implements the hook of a component: its cell, and whether the component has its cell for itself.
macro_rules! hook {
    ($component:ty, $single:literal, |$value:ident| $cell:expr) => {
        impl ComponentHook<$component> for CellIndex {
            #[inline]
            fn validate(&self, old: Option<&$component>, $value: &$component) -> Result<(), &'static str> {
                let cell: Cell = $cell;
                if cell.x.max(cell.y) >= Cell::END {
                    return Err("the columns and rows of an agent are less than 65,536");
                }
                if $single && old != Some($value) && !self.is_empty_at(cell) {
                    return Err("another agent is in this cell");
                }
                Ok(())
            }
            #[inline]
            fn inserted(&mut self, agent: Entity, old: Option<&$component>, $value: &$component) {
                if old == Some($value) {
                    return;
                }
                if let Some(old) = old {
                    ComponentHook::<$component>::removed(self, agent, old);
                }
                self.insert(agent, $cell);
            }
            #[inline]
            fn removed(&mut self, agent: Entity, $value: &$component) {
                self.remove(agent, $cell);
            }
        }
    };
}
hook!(Cell, false, |value| *value);
hook!(SingleCell, true, |value| value.0);
