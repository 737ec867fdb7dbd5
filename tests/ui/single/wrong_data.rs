//! `Single` and `Populated` of something else than data and a filter.
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
    schedule tick { three, filter, maybe, borrowed, inside }
}

#[system(Game)]
fn three(body: Single<&Position, &Velocity, With<Velocity>>) {}

#[system(Game)]
fn filter(body: Single<With<Velocity>>) {}

#[system(Game)]
fn maybe(bodies: Option<Populated<&Position>>) {}

#[system(Game)]
fn borrowed(body: &Single<&Position>) {}

#[system(Game)]
fn inside(bodies: Query<Single<&Position>>) {}

fn main() {}
