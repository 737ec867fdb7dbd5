//! Bullet hell: clocks with slow motion, timers, and a boss whose emitters are its children.
//! `cargo run --release --example bullets`.

use std::time::Duration;

use ecs::prelude::*;
use ecs::time::{every_millis, follow};
use ecs_examples::{Color, Key, Program, Screen};
use serde::{Deserialize, Serialize};

/// Follows the clock without a tag, at half the speed after the key `z`.
enum Play {}

#[derive(Component, Clone, Copy, Serialize, Deserialize)]
struct Position([f32; 2]);
#[derive(Component, Clone, Copy, Serialize, Deserialize)]
struct Velocity([f32; 2]);
/// Shoots six bullets at once, and turns by `turn`, the cosine and the sine of an angle.
#[derive(Component, Clone, Serialize, Deserialize)]
struct Emitter {
    heading: [f32; 2],
    turn: [f32; 2],
    timer: Timer,
}
/// A missile of the boss, or of the ship.
#[derive(Component, Clone, Serialize, Deserialize)]
struct Missile(bool);
/// Takes a hit for each missile of the other side that is not farther away than `size`.
#[derive(Component, Clone, Serialize, Deserialize)]
struct Target {
    health: u32,
    size: [f32; 2],
    is_boss: bool,
}
#[derive(Component, Clone, Serialize, Deserialize)]
struct Ship;

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Sky {
        components { Position, Velocity, Emitter, Missile, Target, Ship, ChildOf }
        resources { real: Clock = Clock::new(), play: Clock<Play> = Clock::new() }
        events { Key(external) }
    }
    schedule tick {
        steer; follow::<(), Play>; emit; fire if every_millis::<Play, 150>; fly; hit;
    }
}

#[system(Sky)]
fn steer(
    mut keys: EventReader<Key>,
    mut ships: Query<&mut Position, With<Ship>>,
    mut real: ResMut<Clock>,
    mut play: ResMut<Clock<Play>>,
) {
    real.advance(Duration::from_millis(Sky::FRAME_MILLIS));
    let Ok(place) = ships.single_mut() else { return };
    for key in &mut keys {
        let (x, y) = key.direction().unwrap_or_default();
        place.0 = [(place.0[0] + 2.0 * x as f32).clamp(1.0, 78.0), (place.0[1] + y as f32).clamp(2.0, 22.0)];
        play.set_scale(1, if key.0 == 'z' { 2 } else { 1 });
    }
}

/// Turns a vector by the angle with this cosine and this sine.
fn turned([x, y]: [f32; 2], [cos, sin]: [f32; 2]) -> [f32; 2] {
    [x * cos - y * sin, x * sin + y * cos]
}

#[system(Sky)]
fn emit(
    emitter: &mut Emitter,
    boss: &ChildOf,
    places: Query<&Position>,
    play: Res<Clock<Play>>,
    mut commands: Commands<Sky>,
) {
    for _ in 0..emitter.timer.tick(play.delta()) {
        emitter.heading = turned(emitter.heading, emitter.turn);
        for place in std::iter::repeat_n(places.get(boss.0), 6).flatten() {
            let [x, y] = emitter.heading;
            commands.spawn((*place, Velocity([14.0 * x, 7.0 * y]), Missile(true)));
            emitter.heading = turned(emitter.heading, [0.5, 0.866_025_4]);
        }
    }
}

#[system(Sky)]
fn fire(place: &Position, _: With<Ship>, mut commands: Commands<Sky>) {
    commands.spawn((*place, Velocity([0.0, -20.0]), Missile(false)));
}

/// Moves bullets and shots, and despawns those that leave the screen.
#[system(Sky)]
fn fly(
    entity: Entity,
    place: &mut Position,
    velocity: &Velocity,
    play: Res<Clock<Play>>,
    mut commands: Commands<Sky>,
) {
    let passed = play.delta().as_secs_f32();
    place.0 = [place.0[0] + velocity.0[0] * passed, place.0[1] + velocity.0[1] * passed];
    if !(0.0..80.0).contains(&place.0[0]) || !(1.0..23.0).contains(&place.0[1]) {
        commands.despawn(entity);
    }
}

#[system(Sky)]
fn hit(
    entity: Entity,
    here: &Position,
    target: &mut Target,
    missiles: Query<(Entity, &Position, &Missile)>,
    mut commands: Commands<Sky>,
) {
    for (missile, there, by) in &missiles {
        let is_near = |axis: usize| (there.0[axis] - here.0[axis]).abs() < target.size[axis];
        if by.0 != target.is_boss && is_near(0) && is_near(1) {
            commands.despawn(missile);
            target.health = target.health.saturating_sub(1);
        }
    }
    if target.health == 0 {
        commands.despawn(entity); // and the emitters of the boss
    }
}

impl Program for Sky {
    const TITLE: &'static str = "bullets";
    const KEYS: &'static str = "wasd or arrows: fly   z: slow motion until the next key   n new  q quit";
    const FRAME: fn(&mut Self) = Self::tick;
    const RECORDED: &'static str = "d6.20a8.10d6.20a5.9d4.20z.30z.20d3.20a9.20";

    fn start() -> Self {
        let mut sky = Self::new();
        let ship = Target { health: 5, size: [0.8, 0.5], is_boss: false };
        sky.spawn((Position([40.0, 20.0]), Ship, ship));
        let target = Target { health: 60, size: [4.0, 1.5], is_boss: true };
        let boss = sky.spawn((Position([40.0, 5.0]), target));
        for (millis, turn) in [(400, [0.98, 0.199]), (700, [0.995, -0.0999])] {
            let timer = Timer::repeating(Duration::from_millis(millis));
            sky.spawn((Emitter { heading: [1.0, 0.0], turn, timer }, ChildOf(boss)));
        }
        sky
    }

    fn draw(&self, screen: &mut Screen) {
        let mut healths = [0, 0];
        for (at, missile, target) in self.query::<(&Position, Option<&Missile>, Option<&Target>)>().iter() {
            let (text, color) = match (missile, target) {
                (_, Some(Target { is_boss: true, .. })) => ("<=(##)=>", Color::Magenta),
                (_, Some(_)) => ("A", Color::Cyan),
                (Some(Missile(false)), _) => ("'", Color::Yellow),
                _ => ("o", Color::Red),
            };
            target.into_iter().for_each(|target| healths[usize::from(target.is_boss)] = target.health);
            screen.text(at.0[0] as i32 - text.len() as i32 / 2, at.0[1] as i32, text, color);
        }
        let [lives, boss] = healths;
        screen.text(10, 0, &format!("lives {lives}   boss {boss} of 60"), Color::Grey);
        if lives == 0 || boss == 0 {
            screen.banner(if lives == 0 {
                "Your ship is lost."
            } else {
                "The boss is beaten: you have won."
            });
        }
    }
}

ecs_examples::main!(Sky);
