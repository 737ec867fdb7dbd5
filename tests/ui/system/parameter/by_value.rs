//! Components, resources, events, numbers and collections by value.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Score(u32);
#[derive(Event)]
struct Hit;

world! {
    struct Game {
        components { Position, Velocity }
        resources { Score = Score(0) }
        events { Hit(external) }
    }
    schedule tick { movement, show, strike, step, all }
}

#[system(Game)]
fn movement(position: Position, velocity: &Velocity) {
    println!("{}", position.0 + velocity.0);
}

#[system(Game)]
fn show(score: Score) {
    println!("{}", score.0);
}

#[system(Game)]
fn strike(hits: Hit) {}

#[system(Game)]
fn step(position: &mut Position, step: f32) {
    position.0 += step;
}

#[system(Game)]
fn all(bodies: Vec<(&mut Position, &Velocity)>) {
    for (position, velocity) in bodies {
        position.0 += velocity.0;
    }
}

fn main() {}
