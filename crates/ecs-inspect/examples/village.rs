//! A village that lives on its own, with the inspector over it.
//!
//! ```text
//! cargo run --release -p checked-ecs-inspect --example village
//! cargo run --release -p checked-ecs-inspect --example village -- --entities 1000000
//! cargo run --release -p checked-ecs-inspect --example village -- --load village.json
//! ```
//!
//! `--load` opens a saved world: a file of a known type of world needs no running program. The
//! world is saved with `--save FILE` when the inspector is closed.
#![allow(elided_lifetimes_in_paths, reason = "systems are written as users write them")]

use std::error::Error;
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs_inspect::Inspector;
use ecs_inspect::ecs_history::{Limit, TimeMachine};
use ecs_inspect::ratatui::{self, crossterm::event};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
struct Name(String);

#[derive(Component, Clone, Serialize, Deserialize)]
struct Position {
    x: f32,
    y: f32,
}

#[derive(Component, Clone, Serialize, Deserialize)]
struct Velocity(f32, f32);

#[derive(Component, Clone, Serialize, Deserialize)]
struct Hunger {
    now: f32,
    limit: f32,
    mood: Mood,
}

#[derive(Serialize, Deserialize, Clone, Copy, PartialEq)]
enum Mood {
    Content,
    Grumpy,
}

#[derive(Component, Clone, Serialize, Deserialize)]
struct House;

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(unique)]
struct Mayor;

#[derive(Resource, Default, Clone, Serialize, Deserialize)]
struct Clock {
    frame: u64,
}

#[derive(Event, Clone, Serialize, Deserialize)]
struct Feast {
    portions: f32,
}

world! {
    #[derive(Clone, Reflect, Serialize, Deserialize)]
    struct Village {
        components { Name, Position, Velocity, Hunger, House, Mayor, ChildOf }
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
fn build(entities: usize) -> Village {
    const NAMES: [&str; 8] = ["Ada", "Bo", "Cleo", "Dan", "Eve", "Finn", "Gil", "Hana"];
    let mut village = Village::default();
    let mut house = village.spawn((Name("Town hall".into()), House, Position { x: 0.0, y: 0.0 }));
    for number in 1..entities {
        let turn = number as f32 * 0.7;
        let position = Position { x: 40.0 * turn.sin(), y: 40.0 * turn.cos() };
        if number % 6 == 0 {
            house = village.spawn((Name(format!("House {}", number / 6)), House, position));
            continue;
        }
        let hunger = Hunger { now: number as f32 % 5.0, limit: 10.0, mood: Mood::Content };
        let name = Name(NAMES[number % 8].into());
        village.spawn((name, position, Velocity(turn.cos(), turn.sin()), hunger, ChildOf(house)));
    }
    village
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut entities, mut load, mut save) = (40, None, None);
    let mut arguments = std::env::args().skip(1);
    while let (Some(option), value) = (arguments.next(), arguments.next()) {
        let value = value.ok_or("an option needs a value")?;
        match &*option {
            "--entities" => entities = value.parse()?,
            "--load" => load = Some(value),
            "--save" => save = Some(value),
            _ => return Err(format!("unknown option `{option}`").into()),
        }
    }
    let mut village: Village = match load {
        Some(file) => serde_json::from_str(&std::fs::read_to_string(file)?)?,
        None => build(entities),
    };

    // the last minute
    let machine = TimeMachine::new(Limit::runs(3600).and_bytes(1 << 30));
    let mut inspector = Inspector::new().label("Name").history(machine.clone());
    let mut terminal = ratatui::try_init()?;
    let result = live(&mut terminal, &mut inspector, &mut village, &machine);
    ratatui::restore();
    result?;
    if let Some(file) = save {
        std::fs::write(file, serde_json::to_string(&village)?)?;
    }
    Ok(())
}

/// The loop of the program: 60 ticks a second, unless the inspector has paused it.
fn live(
    terminal: &mut ratatui::DefaultTerminal,
    inspector: &mut Inspector,
    village: &mut Village,
    machine: &TimeMachine<Village>,
) -> std::io::Result<()> {
    while !inspector.is_closed() {
        let end = Instant::now() + Duration::from_millis(16);
        if inspector.pace().runs() {
            machine.run(village, Village::tick);
        }
        terminal.draw(|frame| inspector.draw(frame, village))?;
        while event::poll(end.saturating_duration_since(Instant::now()))? {
            inspector.handle(event::read()?, village);
        }
    }
    Ok(())
}
