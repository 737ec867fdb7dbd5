//! Sets of something else than two to eight queries.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Clock(f32);

world! {
    struct Game {
        components { Position, Velocity }
        resources { clock: Clock }
    }
    schedule tick { alone, one, listed, resource, elements, wrong_query }
}

#[system(Game)]
fn alone(mut set: ParamSet<Query<&mut Position>>) {}

#[system(Game)]
fn one(mut set: ParamSet<(Query<&mut Position>,)>) {}

#[system(Game)]
fn listed(mut set: ParamSet<Query<&mut Position>, Query<&Position>>) {}

#[system(Game)]
fn resource(mut set: ParamSet<(Query<&mut Position>, ResMut<Clock>)>) {}

#[system(Game)]
fn elements(mut set: ParamSet<(&mut Position, Query<&Position>)>) {}

#[system(Game)]
fn wrong_query(mut set: ParamSet<(Query<&mut Position>, Query<With<Velocity>>)>) {}

fn main() {}
