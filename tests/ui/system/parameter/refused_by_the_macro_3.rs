//! Several mistakes of one kind (system, parameter) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Clock(f32);
#[derive(Event)]
struct Bumped;

world! {
    struct Game {
        components { Position, Velocity }
        resources { clock: Clock }
        events { Bumped(external) }
    }
    schedule tick {
        either, both, neither, with, without, whether, values, enters, data, filter, parameter
    }
}

// Types of the library with more arguments than they have.
#[system(Game)]
fn either(query: Query<&Position, Or<With<Position>, With<Velocity>>>) {}

#[system(Game)]
fn both(position: &Position, _: And<With<Position>, With<Velocity>>) {}

#[system(Game)]
fn neither(query: Query<Entity, Not<With<Position>, With<Velocity>>>) {}

#[system(Game)]
fn with(position: &Position, _: With<Position, Velocity>) {}

#[system(Game)]
fn without(query: Query<Entity, Without<&Position, &Velocity>>) {}

#[system(Game)]
fn whether(query: Query<(&Position, Is<Position, Velocity>)>) {}

#[system(Game)]
fn values(clocks: Res<Clock, Position>, bumps: EventReader<Bumped, Bumped>) {}

#[system(Game)]
fn enters(entered: Entered<With<Position>, With<Velocity>>) {}

// `Has<T>`, a trait of worlds, where `Is<T>` or `With<T>` belongs.
#[system(Game)]
fn data(query: Query<(Entity, Has<Velocity>)>) {
    for (_, moves) in &query {
        let _: bool = moves;
    }
}

#[system(Game)]
fn filter(query: Query<&Position, Has<Velocity>>) {}

#[system(Game)]
fn parameter(position: &mut Position, moves: Has<Velocity>) {}

fn main() {}
