//! Two types of worlds with components of every kind in common, and the comparison of a world with
//! its replica.

use std::fmt::Debug;

use ecs::component::{Name, StableId};
use ecs::prelude::*;
use ecs::save::{Replica, Selection};
use ecs::{ChildOf, Many};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
pub struct Position(pub [f32; 2]);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Debug)]
#[component(tracked)]
pub struct Health(pub i64);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(removed)]
pub struct Label(pub String);
#[derive(Component, Clone, Serialize, Deserialize)]
pub enum Mind {
    Idle,
    Hunts { whom: Entity, path: Vec<(i16, i16)> },
    Recalls(Vec<Option<Entity>>),
}
#[derive(Component, Clone, Serialize, Deserialize, Default)]
pub struct Marked;
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(tracked)]
pub struct Lit;
#[derive(Component, Clone, Serialize, Deserialize, Debug)]
#[component(requires(Marked))]
pub struct Leader(pub u8);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(unique)]
pub struct Camera(pub u8);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Eq, Hash)]
#[component(key)]
pub struct Ticket(pub u32);
#[derive(Component, Clone, Serialize, Deserialize, PartialEq, Eq, Hash)]
#[component(index, tracked)]
pub struct Team(pub u8);
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(excludes(Burning))]
pub struct Frozen;
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(excludes(Frozen))]
pub struct Burning(pub u8);
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(many, gone = keep)]
pub struct Likes {
    #[target]
    pub whom: Entity,
    pub much: u8,
}
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(exclusive, symmetric, gone = remove)]
pub struct Married(pub Entity);
#[derive(Relation, Clone, Serialize, Deserialize)]
#[relation(many, symmetric)]
pub struct Knows(pub Entity);
#[derive(Component, Clone)]
pub struct Shown;
/// Only the sender has it.
#[derive(Component, Clone)]
pub struct Secret;
/// Only the receiver has it.
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Sprite(pub u32);

world! {
    #[derive(Clone)]
    pub struct Server {
        components {
            Secret, Position, Health, Label, Mind, Marked, Lit, Leader, Camera, Ticket, Team, Frozen, Burning,
            likes: Many<Likes>, Married, knows: Many<Knows>, ChildOf, Name, StableId, Shown,
        }
    }
    schedule tick { age }
}

world! {
    #[derive(Clone)]
    pub struct Client {
        components {
            StableId, Name, ChildOf, knows: Many<Knows>, Married, likes: Many<Likes>, Burning, Frozen, Team, Ticket,
            Camera, Leader, Lit, Marked, Mind, Label, Health, Position, Sprite,
        }
    }
}

#[system(Server)]
fn age(mut health: Mut<Health>) {
    if health.0 % 7 == 3 {
        health.0 += 1;
    }
}

pub type All = (
    (Position, Health, Label, Mind, Marked, Lit, Leader, Camera, Ticket),
    (Team, Frozen, Burning, Many<Likes>, Married, Many<Knows>, ChildOf, Name, StableId),
);

pub fn sent() -> Selection<Server> {
    Selection::of::<All>()
}

pub fn received() -> Selection<Client> {
    Selection::of::<All>()
}

/// Replaces the ids in a value by those of the replica; ids that it does not have by `null`.
fn mapped(value: &Value, replica: &Replica) -> Value {
    match value {
        Value::String(text) => match text.parse::<Entity>() {
            Ok(id) => replica.get(id).map_or(Value::Null, |id| format!("{id:#}").into()),
            Err(_) => value.clone(),
        },
        Value::Array(list) => list.iter().map(|value| mapped(value, replica)).collect(),
        Value::Object(map) => {
            map.iter().map(|(name, value)| (name.clone(), mapped(value, replica))).collect()
        }
        _ => value.clone(),
    }
}

/// Replaces the ids of despawned entities by `null`.
fn alive(value: &Value, client: &Client) -> Value {
    match value {
        Value::String(text) => match text.parse::<Entity>() {
            Ok(id) if !client.contains(id) => Value::Null,
            _ => value.clone(),
        },
        Value::Array(list) => list.iter().map(|value| alive(value, client)).collect(),
        Value::Object(map) => map.iter().map(|(name, value)| (name.clone(), alive(value, client))).collect(),
        _ => value.clone(),
    }
}

fn sorted(mut value: Value) -> Value {
    // the edges of a relation with many targets have no order that a replica keeps
    if let Value::Array(list) = &mut value {
        list.sort_by_key(Value::to_string);
    }
    value
}

fn same<T: Serialize + 'static>(server: &Server, client: &Client, replica: &Replica, one: Entity, two: Entity)
where
    Server: ecs::Has<T>,
    Client: ecs::Has<T>,
{
    let json = |value: &T| serde_json::to_value(value).unwrap();
    let first = server.get::<T>(one).map(|value| mapped(&json(value), replica));
    let second = client.get::<T>(two).map(|value| alive(&json(value), client));
    let name = std::any::type_name::<T>();
    let (first, second) =
        if name.contains("Many") { (first.map(sorted), second.map(sorted)) } else { (first, second) };
    assert_eq!(first, second, "{name} of {one}, here {two}");
}

/// Checks that the replica has exactly the chosen entities of the server, with equal components and
/// with the rules' states.
pub fn check(server: &Server, client: &Client, replica: &Replica, is_chosen: impl Fn(Entity) -> bool) {
    let chosen: Vec<Entity> = server.entities().iter().filter(|&entity| is_chosen(entity)).collect();
    assert!(replica.iter().map(|(source, _)| source).eq(chosen.iter().copied()), "other entities");
    let locals: Vec<Entity> = replica.iter().map(|(_, local)| local).collect();
    for (one, two) in replica.iter() {
        assert!(client.contains(two), "{one} is gone");
        macro_rules! same {
            ($($ty:ty)*) => { $(same::<$ty>(server, client, replica, one, two);)* };
        }
        same!(Position Health Label Mind Marked Lit Leader Camera Ticket Team Frozen Burning Many<Likes> Married);
        same!(Many<Knows> ChildOf Name StableId);
        if let Some(ticket) = client.get::<Ticket>(two) {
            assert_eq!(client.find_one::<Ticket>(ticket), Some(two));
        }
        if let Some(team) = client.get::<Team>(two) {
            assert!(client.find::<Team>(team).any(|found| found == two));
        }
        let children = |found: Vec<Entity>| {
            let mut found = found;
            found.sort_unstable();
            found
        };
        let here = children(
            client.sources::<ChildOf>(two).iter().copied().filter(|child| locals.contains(child)).collect(),
        );
        let there: Vec<Entity> =
            server.sources::<ChildOf>(one).iter().filter_map(|&child| replica.get(child)).collect();
        assert_eq!(here, children(there), "the children of {one}");
    }
}

pub fn equal<T: PartialEq + Debug + Clone + 'static>(client: &Client, entity: Entity, value: &T)
where
    Client: ecs::Has<T>,
{
    assert_eq!(client.get::<T>(entity), Some(value));
}
