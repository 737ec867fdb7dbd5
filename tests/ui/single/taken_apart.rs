//! Patterns of parameters that have no public fields.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Score(u32);

world! {
    struct Game {
        components { Position, Velocity }
        resources { Score = Score(0) }
    }
    schedule tick { wrapped, tuple, mutable, resource, optional, or_else, of_a_local }
}

#[system(Game)]
fn wrapped(Single((position, velocity)): Single<(&Position, &Velocity)>) {
    println!("{} {}", position.0, velocity.0);
}

#[system(Game)]
fn tuple((position, velocity): Single<(&Position, &Velocity)>) {
    println!("{} {}", position.0, velocity.0);
}

#[system(Game)]
fn mutable(Single(mut position): Single<&mut Position>) {
    position.0 += 1.0;
}

#[system(Game)]
fn resource(Res(score): Res<Score>) {
    println!("{}", score.0);
}

#[system(Game)]
fn optional(player: Option<Single<(&mut Position, &Velocity)>>) {
    if let Some((position, velocity)) = player {
        position.0 += velocity.0;
    }
}

#[system(Game)]
fn or_else(player: Option<Single<(&mut Position, &Velocity)>>) {
    let Some((position, velocity)) = player else { return };
    position.0 += velocity.0;
}

#[system(Game)]
fn of_a_local(player: Single<(&mut Position, &Velocity)>) {
    let (position, velocity) = player;
    position.0 += velocity.0;
}

fn main() {}
