//! An orbit simulation: bodies attract each other and merge, and a probe has an engine.
//! `cargo run --release --example orbits`.

use ecs::prelude::*;
use ecs::time::every_runs;
use ecs_examples::{Color, Key, Program, Screen};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
/// The time of a step. Only `+ - * /` and `sqrt` are used, which are the same on all machines.
const STEP: f64 = 0.01;

#[derive(Component, Clone, Copy, Serialize, Deserialize)]
struct Position([f64; 2]);
#[derive(Component, Clone, Copy, Serialize, Deserialize)]
struct Velocity([f64; 2]);
#[derive(Component, Clone, Copy, Serialize, Deserialize)]
struct Mass(f64);
/// The body that the player steers.
#[derive(Component, Clone, Serialize, Deserialize)]
#[component(unique)]
struct Probe;
/// A dot of a path, with the frames until it is despawned.
#[derive(Component, Clone, Serialize, Deserialize)]
struct Trail(u32);

/// The states of the world in the last 60 seconds, and the number of frames.
#[derive(Resource, Clone, Default)]
#[resource(skip)]
struct Past(VecDeque<Snapshot<Space>>, u32);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Space {
        components { Position, Velocity, Mass, Probe, Trail }
        resources { Past = Past::default() }
        events { Key(external) }
    }
    schedule tick { steer; step; step; step; step; step; step; step; step; leave_trail if every_runs::<3>; fade }
    schedule step { attract; fly; collide }
}

#[system(Space)]
fn steer(mut keys: EventReader<Key>, mut probes: Query<&mut Velocity, With<Probe>>) {
    for (x, y) in keys.iter().filter_map(|key| key.direction()) {
        probes.for_each(|velocity| {
            velocity.0[0] += f64::from(x) * 0.4;
            velocity.0[1] += f64::from(y) * 0.4;
        });
    }
}

/// Each pair of bodies once.
#[system(Space)]
fn attract(mut bodies: Query<(&Position, &mut Velocity, &Mass)>) {
    bodies.pairs_mut(|(here, velocity, mass), (there, other_velocity, other_mass)| {
        let [x, y] = [there.0[0] - here.0[0], there.0[1] - here.0[1]];
        let square = x * x + y * y + 0.5;
        let force = STEP / (square * square.sqrt());
        for (axis, distance) in [x, y].into_iter().enumerate() {
            velocity.0[axis] += distance * force * other_mass.0;
            other_velocity.0[axis] -= distance * force * mass.0;
        }
    });
}

#[system(Space)]
fn fly(position: &mut Position, velocity: &Velocity) {
    position.0[0] += velocity.0[0] * STEP;
    position.0[1] += velocity.0[1] * STEP;
}

/// The heavier one of two bodies that touch takes up the other one and its momentum.
#[system(Space)]
fn collide(mut bodies: Query<(Entity, &Position, &mut Velocity, &mut Mass)>, mut commands: Commands<Space>) {
    bodies.pairs_mut(|one, other| {
        let [x, y] = [one.1.0[0] - other.1.0[0], one.1.0[1] - other.1.0[1]];
        if x * x + y * y < 0.5 {
            let (heavy, light) = if one.3.0 >= other.3.0 { (one, other) } else { (other, one) };
            let part = light.3.0 / (heavy.3.0 + light.3.0);
            for (axis, velocity) in heavy.2.0.iter_mut().enumerate() {
                *velocity += (light.2.0[axis] - *velocity) * part;
            }
            heavy.3.0 += light.3.0;
            commands.despawn(light.0);
        }
    });
}

#[system(Space)]
fn leave_trail(position: &Position, _: With<Mass>, mut commands: Commands<Space>) {
    commands.spawn((*position, Trail(60)));
}

#[system(Space)]
fn fade(entity: Entity, trail: &mut Trail, mut commands: Commands<Space>) {
    trail.0 -= 1;
    if trail.0 == 0 {
        commands.despawn(entity);
    }
}

impl Program for Space {
    const TITLE: &'static str = "orbits";
    const KEYS: &'static str = "wasd or arrows: engine of the probe @   r: a second back   n new  q quit";
    const FRAME: fn(&mut Self) = Self::tick;
    const RECORDED: &'static str = "w .30 w .40 d3 .60 rrr .20 a2 .90";

    fn start() -> Self {
        let mut space = Self::new();
        space.spawn((Position([0.0, 0.0]), Velocity([0.0, 0.0]), Mass(300.0)));
        for (distance, mass) in [(4.0_f64, 0.5), (7.0, 2.0), (10.5, 1.0), (-13.0, 0.2), (-5.5, 0.2)] {
            let speed = (300.0 / distance.abs()).sqrt();
            space.spawn((Position([distance, 0.0]), Velocity([0.0, speed]), Mass(mass)));
        }
        space.spawn((Position([0.0, -9.0]), Velocity([5.8, 0.0]), Mass(0.001), Probe));
        space
    }

    fn frame(&mut self, key: Option<Key>) {
        let mut past = std::mem::take(self.resource_mut::<Past>());
        past.1 += 1;
        if key == Some(Key('r')) {
            past.0.pop_back().into_iter().for_each(|snapshot| self.restore(&snapshot));
        } else if past.1.is_multiple_of(30) {
            past.0.push_back(self.snapshot());
            past.0.drain(..past.0.len().saturating_sub(60));
        }
        *self.resource_mut() = past;
        key.into_iter().for_each(|key| self.send(key));
        self.tick();
    }

    fn draw(&self, screen: &mut Screen) {
        let mut put = |at: &Position, character, color| {
            screen.put((40.5 + 2.5 * at.0[0]) as i32, (12.5 + at.0[1]) as i32, character, color);
        };
        for position in self.query::<&Position>().filter::<With<Trail>>().iter() {
            put(position, '.', Color::DarkGrey);
        }
        for (position, mass, is_probe) in self.query::<(&Position, &Mass, Is<Probe>)>().iter() {
            let (color, character) = if *is_probe { (Color::Cyan, '@') } else { (Color::Yellow, 'o') };
            put(position, if mass.0 > 100.0 { 'O' } else { character }, color);
        }
        let bodies = self.query::<&Mass>().iter().count();
        screen.text(10, 0, &format!("{bodies} bodies"), Color::Grey);
    }
}

ecs_examples::main!(Space);
