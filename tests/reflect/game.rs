//! The world of these tests.

use std::collections::BTreeMap;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
#[component(tracked)]
pub struct Health {
    pub now: u32,
    pub max: u32,
}

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Position(pub f32, pub f32);

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Score(pub u64);

#[derive(Component, Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
#[component(excludes(Burning))]
pub struct Frozen;

#[derive(Component, Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
#[component(excludes(Frozen))]
pub struct Burning;

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
#[component(unique)]
pub struct Player;

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Eq, Hash, Debug)]
#[component(key)]
pub struct Account(pub u32);

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
#[component(requires(Health, Score))]
pub struct Monster {
    pub kind: Kind,
    pub target: Option<Entity>,
    pub path: Vec<(i8, i8)>,
    pub loot: BTreeMap<String, u8>,
}

impl Default for Health {
    fn default() -> Self {
        Self { now: 10, max: 10 }
    }
}

impl Default for Score {
    fn default() -> Self {
        Self(1)
    }
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub enum Kind {
    Wolf,
    Ghost(u8),
    Dragon { heads: u8, fire: bool },
}

#[derive(Component, Serialize, Deserialize, Clone, PartialEq, Debug)]
#[component(removed)]
pub struct Weapon(pub String);

#[derive(Component)]
#[component(hidden)]
pub struct Secret(#[allow(dead_code)] pub *const u8);

// SAFETY: nothing reads the pointer.
#[expect(unsafe_code, reason = "a component that no format can write")]
unsafe impl Send for Secret {}
// SAFETY: nothing reads the pointer.
#[expect(unsafe_code, reason = "a component that no format can write")]
unsafe impl Sync for Secret {}

#[derive(Resource, Serialize, Deserialize, Default, PartialEq, Debug)]
pub struct Clock {
    pub step: f32,
    pub frame: u64,
}

#[derive(Resource, Default)]
#[resource(hidden)]
pub struct Keys(pub Vec<u8>);

#[derive(Event, Serialize, Deserialize, PartialEq, Debug)]
pub struct Hit {
    pub entity: Entity,
    pub points: u32,
}

#[derive(Event)]
#[event(hidden)]
pub struct Tick;

world! {
    #[derive(Reflect)]
    pub struct Game {
        components { Health, Position, Score, Frozen, Burning, Player, Account, Monster, Weapon, Secret, ChildOf }
        resources { clock: Clock = Clock { step: 0.5, frame: 0 }, keys: Keys = Keys::default() }
        events { Hit(external), Tick(external) }
    }
    schedule tick { heal; count; see }
}

#[system(Game)]
fn heal(mut health: Mut<Health>, _: Without<Frozen>) {
    if health.now < health.max {
        health.now += 1;
    }
}

#[system(Game)]
fn count(mut clock: ResMut<Clock>, mut keys: ResMut<Keys>) {
    clock.frame += 1;
    keys.0.clear();
}

#[system(Game)]
fn see(changed: Query<Entity, Changed<Health>>, mut keys: ResMut<Keys>) {
    keys.0.extend(changed.iter().map(|entity| entity.slot() as u8));
}

/// A value from JSON.
pub fn json(text: &str) -> ecs::reflect::DynamicValue {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}
