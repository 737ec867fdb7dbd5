//! `Has<T>`, a trait of worlds, where `Is<T>` or `With<T>` belongs.
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
    schedule tick { data, filter, parameter }
}

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
