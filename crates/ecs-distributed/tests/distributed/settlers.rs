//! The model of the tests: settlers who walk on a grid, carry bags, breed, and are counted by their
//! neighbours.

use std::collections::BTreeMap;

use ecs::ChildOf;
use ecs::prelude::*;
use ecs_distributed::{Exchange, GlobalId, Grid, Halo, InProcess, Model, Part, RunError, Worker};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Cell {
    pub(crate) column: u32,
    pub(crate) row: u32,
}

/// The diary of a settler: a component whose values have different lengths.
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Diary(pub(crate) Vec<u32>);

/// The contents of a bag, which is a child of a settler and has no place of its own.
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Bag(pub(crate) u64);

/// The bag that a settler holds, by its id in the world of the worker.
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Holds(pub(crate) Entity);

#[derive(Resource, Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Land {
    pub(crate) grid: Grid,
    pub(crate) tick: u64,
}

pub(crate) type Others = Halo<(Cell, Diary), 2>;

world! {
    #[derive(Clone, Serialize, Deserialize)]
    pub(crate) struct Country {
        components { GlobalId, Cell, Diary, Bag, Holds, ChildOf }
        resources { land: Land, others: Others = Halo::new() }
    }
    schedule tick { meet; walk; breed; pass }
}

/// Each settler writes down a hash of the neighbours within two cells, in the order of their ids.
#[system(Country)]
fn meet(mut settlers: Query<(&GlobalId, &Cell, &mut Diary)>, others: Res<Others>, land: Res<Land>) {
    let mut at = BTreeMap::<u32, Vec<(u64, usize)>>::new();
    for (id, cell, diary) in &settlers {
        at.entry(land.grid.cell(cell.column, cell.row)).or_default().push((id.0, diary.0.len()));
    }
    for other in &*others {
        at.entry(other.place).or_default().push((other.id.0, other.value.1.0.len()));
    }
    at.values_mut().for_each(|ids| ids.sort());
    settlers.iter_mut().for_each(|(own, cell, diary)| {
        let mut hash = 17_u32;
        for row in cell.row.saturating_sub(2)..(cell.row + 3).min(land.grid.rows()) {
            for column in cell.column.saturating_sub(2)..(cell.column + 3).min(land.grid.columns()) {
                for &(id, length) in at.get(&land.grid.cell(column, row)).into_iter().flatten() {
                    if id != own.0 {
                        hash = hash.wrapping_mul(31).wrapping_add(id as u32 ^ length as u32);
                    }
                }
            }
        }
        diary.0.push(hash);
        if diary.0.len() as u64 > 3 + own.0 % 3 {
            diary.0.remove(0);
        }
    });
}

#[system(Country)]
fn walk(id: &GlobalId, cell: &mut Cell, land: Res<Land>) {
    let step = |at: u32, length: u32, random: u64| match random % 3 {
        0 => at.saturating_sub(1),
        1 => (at + 1).min(length - 1),
        _ => at,
    };
    let random = id.child(land.tick).0;
    cell.column = step(cell.column, land.grid.columns(), random >> 8);
    cell.row = step(cell.row, land.grid.rows(), random >> 32);
}

#[system(Country)]
fn breed(id: &GlobalId, cell: &Cell, land: Res<Land>, mut commands: Commands<Country>) {
    let child = id.child(1 << 40 | land.tick);
    if child.0.is_multiple_of(64) {
        commands.spawn((child, *cell, Diary(Vec::new())));
    }
}

#[system(Country)]
fn pass(mut land: ResMut<Land>) {
    land.tick += 1;
}

#[derive(Clone, Debug)]
pub(crate) struct Settlers {
    pub(crate) grid: Grid,
    pub(crate) settlers: u64,
}

impl Settlers {
    pub(crate) fn new() -> Self {
        Self { grid: Grid::new(12, 40), settlers: 300 }
    }
}

impl Model for Settlers {
    type World = Country;
    type Place = Cell;
    type Components = (GlobalId, Cell, Diary, Bag, Holds, ChildOf);
    type Shared = (Others,);
    type Space = Grid;

    fn space(&self) -> &Grid {
        &self.grid
    }

    fn place(&self, cell: &Cell) -> u32 {
        self.grid.cell(cell.column, cell.row)
    }

    fn build(&self, part: &Part<'_>) -> Country {
        let mut country = Country::new(Land { grid: self.grid, tick: 0 });
        for id in 0..self.settlers {
            let id = GlobalId(id);
            // most of them begin in the first quarter of the rows
            let row = (id.child(0).0 % 10) as u32 * if id.0.is_multiple_of(4) { 4 } else { 1 };
            let cell = Cell { column: (id.child(1).0 % 12) as u32, row };
            if !part.owns(self.place(&cell)) {
                continue;
            }
            let settler = country.spawn((id, cell, Diary(Vec::new())));
            if id.0.is_multiple_of(3) {
                let bag = country.spawn((id.child(2), Bag(id.0), ChildOf(settler)));
                country.insert(settler, Holds(bag)).expect("it is alive");
            }
        }
        country
    }

    fn tick(&self, country: &mut Country) {
        country.tick();
    }

    fn companions(&self, country: &Country, settler: Entity, companions: &mut Vec<Entity>) {
        companions.extend(country.sources::<ChildOf>(settler));
    }
}

/// Runs a number of ticks on one worker, and returns the hash.
pub(crate) fn run_ticks<E: Exchange>(worker: &mut Worker<Settlers, E>, ticks: u64) -> Result<u64, RunError> {
    for _ in 0..ticks {
        worker.tick()?;
    }
    worker.hash()
}

/// The hash after a number of ticks, with a number of threads.
pub(crate) fn hash_of(workers: usize, ticks: u64) -> u64 {
    let hashes = InProcess::run(workers, |exchange| {
        run_ticks(&mut Worker::new(Settlers::new(), exchange)?.rebalance_every(5), ticks)
    });
    let hashes = hashes.expect("the run succeeds");
    assert!(hashes.iter().all(|&hash| hash == hashes[0]), "{hashes:?}");
    hashes[0]
}
