//! A village that lives on its own: houses with people, who get hungry and walk.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

/// The name of a villager or a house.
#[derive(Component, Clone, Serialize, Deserialize)]
pub(crate) struct Name(String);

/// A place on the map, in steps.
#[derive(Component, Clone, Serialize, Deserialize)]
pub(crate) struct Position {
    x: f32,
    y: f32,
}

/// Steps in a tick.
#[derive(Component, Clone, Serialize, Deserialize)]
pub(crate) struct Velocity(f32, f32);

/// Grows until there is a feast.
#[derive(Component, Clone, Serialize, Deserialize)]
pub(crate) struct Hunger {
    now: f32,
    limit: f32,
    mood: Mood,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq)]
pub(crate) enum Mood {
    Content,
    Grumpy,
}

/// The work and the tools of a villager.
#[derive(Component, Clone, Serialize, Deserialize)]
pub(crate) struct Trade {
    job: Job,
    friend: Option<Entity>,
    tools: Vec<String>,
    is_open: bool,
}

#[derive(Serialize, Deserialize, Clone, PartialEq)]
pub(crate) enum Job {
    Baker { loaves: u16 },
    Smith,
    Farmer(u8),
}

#[derive(Component, Clone, Serialize, Deserialize)]
pub(crate) struct House;

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(unique)]
pub(crate) struct Mayor;

#[derive(Resource, Default, Clone, Serialize, Deserialize)]
pub(crate) struct Clock {
    frame: u64,
}

/// Everybody eats.
#[derive(Event, Clone, Serialize, Deserialize)]
pub(crate) struct Feast {
    portions: f32,
}

world! {
    #[derive(Clone, Reflect, Serialize, Deserialize)]
    pub(crate) struct Village {
        components { Name, Position, Velocity, Hunger, Trade, House, Mayor, ChildOf }
        resources { Clock }
        events { Feast(external) }
    }
    schedule tick { count, walk, starve; feast }
}

#[system(Village)]
fn count(mut clock: ResMut<Clock>) {
    clock.frame += 1;
}

#[system(Village)]
fn walk(position: &mut Position, velocity: &mut Velocity) {
    position.x += velocity.0;
    position.y += velocity.1;
    if position.x.abs() > 50.0 {
        velocity.0 = -velocity.0;
    }
    if position.y.abs() > 50.0 {
        velocity.1 = -velocity.1;
    }
}

#[system(Village)]
fn starve(hunger: &mut Hunger) {
    hunger.now = (hunger.now + 0.01).min(hunger.limit);
    hunger.mood = if hunger.now > hunger.limit / 2.0 { Mood::Grumpy } else { Mood::Content };
}

#[system(Village)]
fn feast(mut feasts: EventReader<Feast>, mut hungry: Query<&mut Hunger>) {
    for feast in &mut feasts {
        for hunger in &mut hungry {
            hunger.now = (hunger.now - feast.portions).max(0.0);
        }
    }
}

/// Houses with people. The same number of entities makes the same village.
pub(crate) fn build(entities: usize) -> Village {
    const NAMES: [&str; 8] = ["Ada", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hana"];
    let mut village = Village::default();
    let mut house = village.spawn((Name("Town hall".into()), House, Position { x: 0.0, y: 0.0 }));
    let mut friend = None;
    for number in 1..entities {
        let turn = number as f32 * 0.7;
        let position = Position { x: 40.0 * turn.sin(), y: 40.0 * turn.cos() };
        if number % 6 == 0 {
            house = village.spawn((Name(format!("House {}", number / 6)), House, position));
            continue;
        }
        let hunger = Hunger { now: number as f32 % 5.0, limit: 10.0, mood: Mood::Content };
        let (job, tools) = match number % 3 {
            0 => (Job::Smith, vec!["hammer".to_owned(), "tongs".to_owned()]),
            1 => (Job::Baker { loaves: 12 }, vec!["peel".to_owned()]),
            _ => (Job::Farmer(3), Vec::new()),
        };
        let trade = Trade { job, friend, tools, is_open: number % 2 == 0 };
        let name = Name(NAMES[number % 8].into());
        let velocity = Velocity(turn.cos() / 4.0, turn.sin() / 4.0);
        friend = Some(village.spawn((name, position, velocity, hunger, trade, ChildOf(house))));
    }
    village
}
