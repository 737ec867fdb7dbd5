//! The world of all rows.

use ecs::ChildOf;
use ecs::prelude::*;
use ecs::relation::{Propagate, propagate, propagate_changed};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Copy, Serialize, Deserialize, PartialEq, Debug)]
pub(crate) struct Position(pub(crate) u64);
#[derive(Component, Clone, Serialize, Deserialize)]
pub(crate) struct Label(pub(crate) String);
#[derive(Component, Clone, Serialize, Deserialize)]
pub(crate) struct Lit;
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(storage = "packed")]
pub(crate) struct Rare(pub(crate) u64);
#[derive(Component, Clone, Serialize, Deserialize, Default)]
#[component(tracked, removed, requires(Place))]
pub(crate) struct Offset(pub(crate) u64);
#[derive(Component, Clone, Serialize, Deserialize, Default)]
pub(crate) struct Place(pub(crate) u64);
/// Several entities may be in one cell.
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Eq, Hash)]
#[component(index)]
pub(crate) struct Cell(pub(crate) u64);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Eq, Hash)]
#[component(key = 0)]
pub(crate) struct Ticket(pub(crate) u64);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Eq, Hash)]
#[component(key = 0)]
pub(crate) struct Title(pub(crate) String);

/// Sources lose it when their target is despawned.
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive, gone = remove)]
pub(crate) struct Guards(pub(crate) Entity);
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive, gone = keep)]
pub(crate) struct Seeks(pub(crate) Entity);
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(many)]
pub(crate) struct Owes(pub(crate) Entity);
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(many, symmetric)]
pub(crate) struct Knows(pub(crate) Entity);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    pub(crate) struct Game {
        components {
            Position, Label, Lit, Rare, Offset, Place, Cell, Ticket, Title, ChildOf, Guards, Seeks, owes: Many<Owes>,
            knows: Many<Knows>,
        }
        events { Hit(external) }
    }
    schedule collide { advance, meet }
    schedule walk { step }
    schedule ask { seats }
    schedule breed { spawn_many }
    schedule fails -> Result { fail }
    schedule notice { arrivals, changes, removals, hits }
    schedule place { propagate::<Offset, ChildOf> }
    schedule place_changed { propagate_changed::<Offset, ChildOf> }
}

#[derive(Event, Clone, Serialize, Deserialize)]
pub(crate) struct Hit(pub(crate) u64);

impl Propagate for Offset {
    type Combined = Place;
    fn combine(&self, above: Option<&Place>) -> Place {
        Place(self.0 + above.map_or(0, |above| above.0))
    }
}

/// Each entity goes to the next cell.
#[system(Game)]
fn advance(mut cell: Mut<Cell>) {
    cell.0 += 1;
}

/// Each entity looks for those in its cell, in the same stage.
#[system(Game)]
fn meet(position: &mut Position, cells: Lookup<Cell>) {
    position.0 += cells.find(&Cell(position.0)).len() as u64;
}

/// Each entity goes to the next cell and looks who is there, before the next one goes.
#[system(Game)]
fn step(all: Query<Entity, With<Position>>, mut cells: Storage<Cell>) {
    for entity in &all {
        let next = cells.get_mut(entity).map_or(0, |mut cell| {
            cell.0 += 1;
            cell.0
        });
        assert!(cells.find_one(&Cell(next)).is_some());
    }
}

/// Each entity gives its seat away, and the next one looks for it.
#[system(Game)]
fn seats(all: Query<(Entity, &Position)>, mut tickets: Storage<Ticket>) {
    for (entity, position) in &all {
        let ticket = tickets.remove(entity).map_or(position.0, |ticket| ticket.0);
        assert!(tickets.find_one(&ticket).is_none());
        tickets.insert(entity, Ticket(ticket)).unwrap();
        assert_eq!(tickets.find_one(&ticket), Some(entity));
    }
}

#[system(Game)]
fn spawn_many(all: Query<&Position>, mut commands: Commands<Game>) {
    for position in &all {
        commands.spawn((*position, Lit));
    }
}

#[system(Game)]
fn fail() -> Result<(), &'static str> {
    Err("no")
}

#[system(Game)]
fn arrivals(entered: Entered<With<Lit>>, exited: Exited<With<Lit>>) {
    assert!(entered.len() + exited.len() < usize::MAX);
}

#[system(Game)]
fn changes(offset: &Offset, _: Changed<Offset>) {
    std::hint::black_box(offset);
}

#[system(Game)]
fn removals(mut offsets: Removed<Offset>) {
    (&mut offsets).into_iter().for_each(|one| _ = std::hint::black_box(one));
}

#[system(Game)]
fn hits(mut hits: EventReader<Hit>) {
    (&mut hits).into_iter().for_each(|hit| _ = std::hint::black_box(hit));
}

impl Game {
    /// A world with entities that have a position.
    pub(crate) fn of(number: usize) -> (Self, Vec<Entity>) {
        let mut game = Self::new();
        let entities = game.spawn_batch((0..number as u64).map(Position)).collect();
        (game, entities)
    }
}

/// The numbers below `number`, in an order that looks random and is the same in each run.
pub(crate) fn shuffled<T: Clone>(list: &[T]) -> Vec<T> {
    let (mut list, mut state) = (list.to_vec(), 1_u64);
    for at in (1..list.len()).rev() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        list.swap(at, (state >> 33) as usize % (at + 1));
    }
    list
}
