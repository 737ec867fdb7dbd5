//! A living world of 1,000 entities that tools can reach:
//! `cargo run --release -p inspect -- --port 27750`.
//!
//! It answers the flecs explorer and clients of the Bevy Remote Protocol, on the loopback, until
//! its standard input ends or `--ticks N` are over. The variable `ECS_INSPECT_TOKEN` or
//! `--token TOKEN` lets the requests with this token change the world, `--open` all requests. The
//! chapter of the guide about remote access has examples of requests.
//!
//! `cargo run --release -p checked-ecs-inspect -- --attach 127.0.0.1:27750` shows its inspector in
//! another terminal.

use std::error::Error;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use ecs::prelude::*;
use ecs_inspect::ecs_history::{Limit, TimeMachine};
use ecs_inspect::{Inspector, InspectorHost};
use ecs_remote::{Options, Remote, Writes};
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
struct Position {
    x: f32,
    y: f32,
}

#[derive(Component, Clone, Serialize, Deserialize)]
struct Velocity {
    x: f32,
    y: f32,
}

#[derive(Component, Clone, Serialize, Deserialize)]
#[component(tracked)]
struct Health {
    now: u32,
    max: u32,
}

#[derive(Component, Clone, Serialize, Deserialize)]
enum Mood {
    Calm,
    Hungry { since: u64 },
    Follows(Entity),
}

/// An animal that sleeps does not move.
#[derive(Component, Clone, Serialize, Deserialize)]
struct Asleep;

/// A component that no request can read: it is hidden.
#[derive(Component, Clone)]
#[component(hidden, skip)]
struct Secret;

#[derive(Resource, Clone, Serialize, Deserialize, Default)]
struct Clock {
    tick: u64,
    births: u64,
}

#[derive(Event, Clone, Serialize, Deserialize)]
struct Thunder {
    strength: u32,
}

world! {
    #[derive(Clone, Reflect, Serialize, Deserialize)]
    struct Meadow {
        components { Name, ChildOf, Position, Velocity, Health, Mood, Asleep, Secret }
        resources { Clock = Clock::default() }
        events { Thunder(external) }
    }
    schedule tick { count; startle; roam; feel; renew }
}

#[system(Meadow)]
fn count(mut clock: ResMut<Clock>) {
    clock.tick += 1;
}

#[system(Meadow)]
fn startle(
    mut thunder: EventReader<Thunder>,
    asleep: Query<Entity, With<Asleep>>,
    mut commands: Commands<Meadow>,
) {
    for thunder in thunder.iter() {
        for sleeper in asleep.iter().take(thunder.strength as usize) {
            commands.remove::<Asleep>(sleeper);
        }
    }
}

#[system(Meadow)]
fn roam(mut animals: Query<(&mut Position, &mut Velocity), Without<Asleep>>) {
    for (position, velocity) in &mut animals {
        position.x += velocity.x;
        position.y += velocity.y;
        if position.x.abs() > 100.0 {
            velocity.x = -velocity.x;
        }
        if position.y.abs() > 100.0 {
            velocity.y = -velocity.y;
        }
    }
}

#[system(Meadow)]
fn feel(entity: Entity, mood: &mut Mood, mut health: Mut<Health>, clock: Res<Clock>) {
    match *mood {
        Mood::Calm if (clock.tick + u64::from(entity.slot())).is_multiple_of(500) => {
            *mood = Mood::Hungry { since: clock.tick };
        }
        Mood::Hungry { since } if clock.tick - since > 100 => {
            health.now = health.now.saturating_sub(1);
            *mood = Mood::Calm;
        }
        _ => {}
    }
}

/// An animal that has starved is succeeded by a young one of the same family.
#[system(Meadow)]
fn renew(
    animals: Query<(Entity, &Health, Option<&ChildOf>)>,
    mut clock: ResMut<Clock>,
    mut commands: Commands<Meadow>,
) {
    for (entity, _, family) in animals.iter().filter(|(_, health, _)| health.now == 0) {
        commands.despawn(entity);
        clock.births += 1;
        let animal = animal(clock.births as u32, &format!("young {}", clock.births));
        match family {
            Some(family) => drop(commands.spawn((animal, *family))),
            None => drop(commands.spawn(animal)),
        }
    }
}

fn animal(number: u32, name: &str) -> (Name, Position, Velocity, Health, Mood) {
    let angle = number as f32;
    let place = Position { x: (number % 20) as f32 * 10.0 - 95.0, y: (number % 19) as f32 * 10.0 - 90.0 };
    let velocity = Velocity { x: angle.cos() * 0.1, y: angle.sin() * 0.1 };
    (Name::new(name), place, velocity, Health { now: number % 7 + 1, max: 7 }, Mood::Calm)
}

/// Ten herds with nine families of ten animals each: 1,000 entities.
fn fill(meadow: &mut Meadow) -> Result<(), Box<dyn Error>> {
    let mut number = 0;
    for herd in 0..10 {
        let herd_entity = meadow.spawn(Name::new(format!("herd {herd}")));
        for family in 0..9 {
            let parent = meadow.spawn((Name::new(format!("family {herd}.{family}")), ChildOf(herd_entity)));
            let mut leader = None;
            for _ in 0..10 {
                number += 1;
                let entity = meadow.spawn((animal(number, &format!("animal {number}")), ChildOf(parent)));
                if number % 8 == 0 {
                    meadow.insert(entity, Asleep)?;
                }
                if let Some(leader) = leader
                    && number % 5 == 0
                {
                    meadow.insert(entity, Mood::Follows(leader))?;
                }
                leader.get_or_insert(entity);
            }
        }
        meadow.insert(herd_entity, Secret)?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut options, mut ticks) = (Options::new(), u64::MAX);
    // the other users of a machine see its command lines, and not its variables
    if let Ok(token) = std::env::var("ECS_INSPECT_TOKEN") {
        options = options.writes(Writes::Token(token));
    }
    let mut arguments = lexopt::Parser::from_env();
    while let Some(argument) = arguments.next()? {
        use lexopt::prelude::*;
        options = match argument {
            Long("port") => options.port(arguments.value()?.parse()?),
            Long("token") => options.writes(Writes::Token(arguments.value()?.string()?)),
            Long("open") => options.writes(Writes::Anybody),
            Long("ticks") => {
                ticks = arguments.value()?.parse()?;
                options
            }
            other => return Err(other.unexpected().into()),
        };
    }
    let remote = Remote::bind(options)?;
    let address = remote.address().ok_or("the server has an address")?;
    // the last minute can be gone through, in an inspector and by requests
    let machine = TimeMachine::new(Limit::runs(3600).and_bytes(256 << 20));
    for (name, method) in machine.methods() {
        remote.extend(name, method);
    }
    let timeline = machine.clone();
    let host = InspectorHost::new(move || Inspector::new().label("Name").history(timeline.clone()));
    remote.extend(InspectorHost::METHOD, host.method());
    let mut meadow = Meadow::default();
    fill(&mut meadow)?;
    meadow.time_systems(true);
    println!("serving {} entities on http://{address}", meadow.entities().len());

    let ended = Arc::new(AtomicBool::new(false));
    let end = Arc::clone(&ended);
    std::thread::spawn(move || {
        // an error is an end, too
        let _ = io::stdin().read_to_end(&mut Vec::new());
        end.store(true, Ordering::Relaxed);
    });
    let frame = Duration::from_millis(16);
    for _ in 0..ticks {
        if ended.load(Ordering::Relaxed) {
            break;
        }
        let begin = Instant::now();
        if host.pace().runs() {
            machine.run(&mut meadow, Meadow::tick);
        }
        // between two runs, so that a system never sees a world that changes below it
        remote.serve(&mut meadow);
        std::thread::sleep(frame.saturating_sub(begin.elapsed()));
    }
    println!("{} ticks, {} entities", meadow.resource::<Clock>().tick, meadow.entities().len());
    Ok(())
}
