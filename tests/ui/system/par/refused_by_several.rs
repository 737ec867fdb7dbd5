//! Several mistakes of one kind (system, par) in one program.
use ecs::prelude::*;
use std::sync::atomic::{AtomicU32, Ordering};

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Speed(f32);
#[derive(Resource, Default)]
struct Score(f32);
#[derive(Component)]
struct Number(u32);
#[derive(Resource, Default)]
#[resource(shared)]
struct Next(AtomicU32);

world! {
    struct Game {
        components { Position, Speed, Number }
        resources { Score, Next }
    }
    schedule tick {
        movement, with_a_query_that_writes, with_a_resource_that_it_changes, number, with_commands,
        system_not_per_entity, reset
    }
}

#[system(Game, par)]
fn movement(position: &mut Position, mut steps: Local<u32>) {
    *steps += position.0 as u32;
}

#[system(Game, par)]
fn with_a_query_that_writes(position: &mut Position, mut others: Query<&mut Speed>) {
    others.iter_mut().for_each(|other| other.0 += position.0);
}

#[system(Game, par)]
fn with_a_resource_that_it_changes(position: &mut Position, mut score: ResMut<Score>) {
    score.0 += position.0;
}

#[system(Game, par)]
fn number(number: &mut Number, next: Res<Next>) {
    number.0 = next.0.fetch_add(1, Ordering::Relaxed);
}

fn with_a_shared_resource() {
    Game::default().tick();
}

#[system(Game, par)]
fn with_commands(position: &mut Position, mut commands: Commands<Game>) {
    commands.spawn(Position(position.0));
}

#[system(Game, par)]
fn system_not_per_entity(mut positions: Query<&mut Position>) {
    for position in &mut positions {
        position.0 += 1.0;
    }
}

#[system(Game, par)]
fn reset(game: &mut Game) {
    game.clear();
}

fn main() {}
