//! Types of the library with more arguments than they have.
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
}

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

fn main() {}
