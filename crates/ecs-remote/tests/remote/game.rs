//! The world of the tests.

use ecs::component::Name;
use ecs::prelude::*;
use ecs::reflect::{AspectList, AspectNames};
use ecs::{Aspect, ChildOf};
use ecs_remote::{Dispatcher, Method, Options, Remote, Request};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Component, Clone, Serialize, Deserialize)]
pub struct Position(pub f32, pub f32);
#[derive(Component, Clone, Serialize, Deserialize)]
pub struct Health {
    pub now: u32,
    pub max: u32,
}
#[derive(Component, Clone, Serialize, Deserialize)]
pub enum Mind {
    Idle,
    Hunts { whom: Entity },
}
#[derive(Component, Clone, Serialize, Deserialize)]
pub struct Frozen;
#[derive(Component, Clone, Serialize, Deserialize)]
pub struct Items(pub Vec<Option<Entity>>);
#[derive(Component, Clone)]
#[component(hidden, skip)]
pub struct Password;
/// The time of the game.
#[derive(Resource, Clone, Serialize, Deserialize, Default)]
pub struct Clock {
    pub frame: u64,
    pub leader: Option<Entity>,
}
#[derive(Event, Clone, Serialize, Deserialize)]
pub struct Hit(pub u32);

world! {
    #[derive(Clone, Serialize, Deserialize, Reflect)]
    pub struct Game {
        components { Name, ChildOf, Position, Health, Mind, Frozen, Items, Password }
        resources { Clock = Clock::default(), Remote }
        events { Hit(external) }
    }
    schedule tick { remote; count; hurt }
}

/// Something that can be hurt.
#[derive(Aspect)]
pub struct Body {
    #[aspect(default = Health { now: 5, max: 5 })]
    health: Health,
    #[aspect(default = Position(0.0, 0.5))]
    position: Position,
}

#[derive(Aspect)]
pub struct Statue {
    #[aspect(default = Frozen)]
    frozen: Frozen,
}

#[derive(Aspect)]
pub struct Spy {
    #[aspect(default = Password)]
    password: Password,
}

impl AspectNames for Game {
    fn aspect_names(list: AspectList<Self>) -> AspectList<Self> {
        list.aspect::<Body>().aspect::<Statue>().aspect::<Spy>()
    }
}

#[system(Game)]
fn remote(game: &mut Game) {
    game.resource::<Remote>().clone().serve(game);
}

#[system(Game)]
fn count(mut clock: ResMut<Clock>) {
    clock.frame += 1;
}

#[system(Game)]
fn hurt(mut hits: EventReader<Hit>, mut bodies: Query<&mut Health>) {
    let sum: u32 = hits.iter().map(|hit| hit.0).sum();
    for health in &mut bodies {
        health.now = health.now.saturating_sub(sum);
    }
}

/// A pack of two wolves.
pub fn game(remote: Remote) -> (Game, [Entity; 3]) {
    let mut game = Game::new(remote);
    let pack = game.spawn((Name::new("pack"), Password));
    let wolf = game.spawn((Name::new("wolf"), ChildOf(pack), Health { now: 3, max: 7 }, Position(0.1, 2.0)));
    let other = game.spawn((ChildOf(pack), Health { now: 5, max: 7 }, Mind::Hunts { whom: wolf }, Frozen));
    (game, [pack, wolf, other])
}

/// The number of an entity.
pub fn id(entity: Entity) -> u64 {
    u64::from(entity.generation().get() & 0xffff) << 32 | u64::from(entity.slot())
}

/// Calls a method of JSON-RPC without a socket; returns the answer.
pub fn call(game: &mut Game, method: &str, params: Value) -> Value {
    let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
    let request = Request::new(Method::Post, "/", body.to_string()).may_write();
    let answer = Dispatcher::new(&Options::new()).answer(game, &request);
    assert_eq!(answer.status, 200, "{}", answer.body);
    serde_json::from_str(&answer.body).expect("answers are JSON")
}

/// The result of a method that succeeds.
pub fn result(game: &mut Game, method: &str, params: Value) -> Value {
    let mut answer = call(game, method, params);
    assert!(answer.get("error").is_none(), "{answer}");
    answer["result"].take()
}

/// The code and the message of a method that fails.
pub fn error(game: &mut Game, method: &str, params: Value) -> (i64, String) {
    let answer = call(game, method, params);
    let error = &answer["error"];
    (
        error["code"].as_i64().expect("errors have a code"),
        error["message"].as_str().expect("and a text").to_owned(),
    )
}
