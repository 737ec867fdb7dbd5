//! The world of all rows.

use ecs::prelude::*;
use ecs::{ChildOf, Many};
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
#[component(key)]
pub(crate) struct Ticket(pub(crate) u64);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Eq, Hash)]
#[component(key)]
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
    }
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
