//! A small game, with relations, so that ids are mapped.

use ecs::prelude::*;
use ecs::relation::{ChildOf, Many};
use ecs::save::{Replica, Selection};
use ecs_replication::{Client, ClientId, Server};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Place(pub(crate) i32, pub(crate) i32);

#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(tracked)]
pub(crate) struct Name(pub(crate) String);

#[derive(Component, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Hunts(pub(crate) Entity);

/// An entity has any number of these, which end with the other entity.
#[derive(Relation, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[relation(many, gone = remove)]
pub(crate) struct Likes(pub(crate) Entity);

/// The other entity has one, too.
#[derive(Relation, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[relation(exclusive, symmetric)]
pub(crate) struct Faces(pub(crate) Entity);

/// These stay when the other entity has gone.
#[derive(Relation, Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[relation(many, gone = keep)]
pub(crate) struct Misses(pub(crate) Entity);

/// The room of an entity, which is not replicated: a client sees one room.
#[derive(Component, Clone, Copy, PartialEq, Debug)]
pub(crate) struct Room(pub(crate) u64);

/// A component of the client alone.
#[derive(Component, Clone, PartialEq, Debug)]
pub(crate) struct Sprite(pub(crate) u32);

world! {
    #[derive(Clone)]
    pub(crate) struct Game { components { Place, Name, Hunts, ChildOf, Room, likes: Many<Likes>, Faces, misses: Many<Misses> } }
}
world! {
    #[derive(Clone)]
    pub(crate) struct View { components { Sprite, misses: Many<Misses>, Hunts, ChildOf, Name, Place, Faces, likes: Many<Likes> } }
}

pub(crate) type Shown = (Place, Name, Hunts, ChildOf, Many<Likes>, Faces, Many<Misses>);

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) enum Input {
    Step(i32, i32),
    Say(String),
}

pub(crate) type GameServer = Server<Game, Input>;
pub(crate) type GameClient = Client<View, Input>;

pub(crate) fn client() -> GameClient {
    Client::new::<Shown>(Replica::new().entities(10_000), 1 << 20)
}

/// Whether clients see the name of an entity, and whom it likes.
pub(crate) fn is_open(place: Option<&Place>) -> bool {
    place.is_none_or(|place| place.0 == 0 || place.0 % 4 != 0)
}

/// The entities in the room with the number of the client.
pub(crate) fn room(game: &Game, ClientId(client): ClientId) -> Selection<Game> {
    let inside = game.query::<(Entity, &Room)>().into_query();
    let inside: Vec<Entity> = inside.iter().filter(|(_, room)| room.0 == client).map(|(id, _)| id).collect();
    // entities of all rooms: those of others are not selected
    let open: Vec<Entity> = game.entities().iter().filter(|&id| is_open(game.get(id))).collect();
    Selection::of::<Shown>().only(inside).restrict::<Name>(open.clone()).restrict::<Many<Likes>>(open)
}
