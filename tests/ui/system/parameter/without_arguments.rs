//! Types of the library without their arguments.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game { components { Position, Velocity } }
    schedule tick { movement, score, drag }
}

#[system(Game)]
fn movement(bodies: Query) {
    for body in &bodies {
        println!("{body:?}");
    }
}

#[system(Game)]
fn score(score: Res) {
    println!("{}", score.0);
}

#[system(Game)]
fn drag(bodies: Query<&mut Velocity, With>) {}

fn main() {}
