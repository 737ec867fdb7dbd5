//! A model with all that workers exchange: people who look around, write to each other, count
//! themselves, are born, die, and from some tick on walk into a corner.

use std::collections::BTreeMap;

use ecs::prelude::*;
use ecs_distributed::{GlobalId, Grid, Halo, Messages, Model, Part, Totals};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Spot {
    pub(crate) column: u32,
    pub(crate) row: u32,
}

#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Purse(pub(crate) f64);

/// A hash of all that a person has seen, been sent and been told.
#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Memory(u64);

impl Memory {
    fn add(&mut self, number: u64) {
        self.0 = GlobalId(self.0).child(number).0;
    }
}

#[derive(Resource, Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Setting {
    pub(crate) grid: Grid,
    pub(crate) people: u64,
    pub(crate) seed: u64,
    pub(crate) tick: u64,
    /// The tick from which on all walk into the corner.
    pub(crate) gather: u64,
    /// Whether people are born and die.
    pub(crate) changes: bool,
}

impl Setting {
    fn random(&self, id: GlobalId, purpose: u64) -> u64 {
        id.child(self.seed).child(self.tick << 8 | purpose).0
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Gift(pub(crate) f64);
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Note(pub(crate) String);

pub(crate) type Near = Halo<(Memory,), 1>;
pub(crate) type Purses = Totals<u8, f64>;
pub(crate) type Rows = Totals<(), u32>;

world! {
    #[derive(Clone, Serialize, Deserialize)]
    pub(crate) struct Square {
        components { GlobalId, Spot, Purse, Memory }
        resources {
            setting: Setting,
            near: Near = Halo::new(),
            purses: Purses = Totals::new(),
            rows: Rows = Totals::new(),
            gifts: Messages<Gift> = Messages::new(),
            notes: Messages<Note> = Messages::new()
        }
    }
    schedule tick { look; receive; listen; write; count; die_and_breed; walk; pass }
}

/// Each person sees those in the same cell and beside it, in the order of their ids.
#[system(Square)]
fn look(mut people: Query<(&GlobalId, &Spot, &mut Memory)>, near: Res<Near>, setting: Res<Setting>) {
    let grid = setting.grid;
    let mut at = BTreeMap::<u32, Vec<(u64, u64)>>::new();
    for (id, spot, memory) in &people {
        at.entry(grid.cell(spot.column, spot.row)).or_default().push((id.0, memory.0));
    }
    for other in &*near {
        at.entry(other.place).or_default().push((other.id.0, other.value.0.0));
    }
    // one hash for each cell, so that a crowd takes no time squared
    let hashes: BTreeMap<u32, u64> = at
        .into_iter()
        .map(|(place, mut seen)| {
            seen.sort_unstable();
            let hash = seen.iter().fold(7, |hash, seen| GlobalId(hash).child(seen.0 ^ seen.1).0);
            (place, hash)
        })
        .collect();
    people.iter_mut().for_each(|(_, spot, memory)| {
        for row in spot.row.saturating_sub(1)..(spot.row + 2).min(grid.rows()) {
            for column in spot.column.saturating_sub(1)..(spot.column + 2).min(grid.columns()) {
                memory.add(hashes.get(&grid.cell(column, row)).copied().unwrap_or(0));
            }
        }
    });
}

#[system(Square)]
fn receive(
    mut people: Query<(&GlobalId, &mut Purse, &mut Memory)>,
    gifts: Res<Messages<Gift>>,
    notes: Res<Messages<Note>>,
) {
    for (gift, returned) in
        gifts.iter().map(|gift| (gift, 0)).chain(gifts.returned().iter().map(|gift| (gift, 1)))
    {
        let (id, purse, memory) = people.get_mut(gift.entity).expect("nobody dies before");
        assert_eq!(*id, if returned == 0 { gift.to } else { gift.from });
        purse.0 += gift.value.0;
        memory.add(gift.from.0 ^ purse.0.to_bits() ^ returned);
    }
    for note in notes.iter().chain(notes.returned()) {
        let (_, _, memory) = people.get_mut(note.entity).expect("nobody dies before");
        note.value.0.bytes().for_each(|byte| memory.add(byte.into()));
    }
}

/// Stores what all workers must agree on.
#[system(Square)]
fn listen(
    memory: &mut Memory,
    (purses, rows): (Res<Purses>, Res<Rows>),
    gifts: Res<Messages<Gift>>,
    notes: Res<Messages<Note>>,
) {
    for (key, total) in purses.iter() {
        memory.add(u64::from(*key) ^ total.count);
        [total.sum, total.min, total.max].iter().for_each(|number| memory.add(number.to_bits()));
    }
    if let Some(rows) = rows.get(&()) {
        memory.add(rows.sum as u64 ^ u64::from(rows.min) << 40 ^ u64::from(rows.max) << 50 ^ rows.count);
    }
    memory.add(gifts.lost() << 32 ^ notes.lost());
}

#[system(Square)]
fn write(
    id: &GlobalId,
    purse: &mut Purse,
    setting: Res<Setting>,
    mut gifts: ResMut<Messages<Gift>>,
    mut notes: ResMut<Messages<Note>>,
) {
    let random = setting.random(*id, 1);
    // to one who may never have lived, who may be far away, or the sender
    if random.is_multiple_of(4) {
        let gift = Gift(purse.0 / 3.0);
        purse.0 -= gift.0;
        gifts.send(*id, GlobalId(random >> 8 & 0xff), gift);
    }
    // several to one, of one or of several
    for number in 0..random % 7 / 3 {
        notes.send(
            *id,
            GlobalId(id.0 / 8 * 8),
            Note(format!("{number} of {}", "x".repeat(id.0 as usize % 9))),
        );
    }
}

#[system(Square)]
fn count(people: Query<(&Spot, &Purse)>, mut purses: ResMut<Purses>, mut rows: ResMut<Rows>) {
    for (spot, purse) in &people {
        purses.add((spot.column % 3) as u8, purse.0);
    }
    rows.add_all((), people.iter().map(|(spot, _)| spot.row));
}

#[system(Square)]
fn die_and_breed(
    (id, person): (&GlobalId, Entity),
    (spot, purse): (&Spot, &mut Purse),
    setting: Res<Setting>,
    mut gifts: ResMut<Messages<Gift>>,
    mut commands: Commands<Square>,
) {
    let random = setting.random(*id, 2);
    if setting.changes && random.is_multiple_of(16) {
        // a last gift, of which nothing can come back
        gifts.send(*id, GlobalId(random >> 8 & 0xff), Gift(purse.0));
        commands.despawn(person);
    } else if setting.changes && random % 16 == 1 {
        commands.spawn((id.child(random), *spot, Purse(purse.0 / 7.0), Memory(0)));
    }
}

#[system(Square)]
fn walk(id: &GlobalId, spot: &mut Spot, setting: Res<Setting>) {
    let step = |at: u32, length: u32, random: u64| match random % 4 {
        0 | 1 if setting.tick >= setting.gather => at.saturating_sub(1),
        _ if setting.tick >= setting.gather => at,
        0 => at.saturating_sub(1),
        1 => (at + 1).min(length - 1),
        _ => at,
    };
    let random = setting.random(*id, 3);
    spot.column = step(spot.column, setting.grid.columns(), random >> 8);
    spot.row = step(spot.row, setting.grid.rows(), random >> 32);
}

#[system(Square)]
fn pass(mut setting: ResMut<Setting>) {
    setting.tick += 1;
}

/// The model, with places that are divided or not.
#[derive(Clone, Debug)]
pub(crate) struct Crowd<const DIVIDES: bool>(pub(crate) Setting);

impl<const DIVIDES: bool> Model for Crowd<DIVIDES> {
    type World = Square;
    type Place = Spot;
    type Components = (GlobalId, Spot, Purse, Memory);
    type Shared = (Near, Purses, Rows, Messages<Gift>, Messages<Note>);
    type Space = Grid;
    const DIVIDES_PLACES: bool = DIVIDES;

    fn space(&self) -> &Grid {
        &self.0.grid
    }

    fn place(&self, spot: &Spot) -> u32 {
        self.0.grid.cell(spot.column, spot.row)
    }

    fn build(&self, part: &Part<'_>) -> Square {
        let mut square = Square::new(self.0);
        for id in (0..self.0.people).map(GlobalId) {
            let random = self.0.random(id, 0);
            let (columns, rows) = (u64::from(self.0.grid.columns()), u64::from(self.0.grid.rows()));
            let spot = Spot { column: (random % columns) as u32, row: ((random >> 20) % rows) as u32 };
            if part.owns(self.place(&spot)) {
                square.spawn((id, spot, Purse(1.0 / (1.0 + id.0 as f64)), Memory(id.0)));
            }
        }
        square
    }

    fn tick(&self, square: &mut Square) {
        square.tick();
    }
}
