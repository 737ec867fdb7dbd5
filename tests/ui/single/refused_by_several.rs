//! Several mistakes of one kind (single) in one program.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource)]
struct Clock(f32);
#[derive(SystemParam)]
struct Body<'w> {
    position: Single<'w, &'static Position>,
}
#[derive(Component)]
struct Leader;

world! {
    struct Game {
        components { Position, Velocity }
        resources { clock: Clock }
    }
    schedule tick { chase, unknown_component, three, filter, maybe, borrowed, inside }
}

// The single entity may be one that the system walks over.
#[system(Game)]
fn chase(position: &mut Position, leader: Single<&Position, With<Velocity>>) {
    position.0 = leader.0;
}

// A system that may be skipped returns a number.
#[system(Game)]
fn height(body: Single<&Position>) -> f32 {
    body.0
}

#[system(Game)]
fn width(body: Body) -> f32 {
    body.position.0
}

// `Single` asks for a component that the world does not have.
#[system(Game)]
fn unknown_component(leader: Single<&Position, With<Leader>>) {
    let _ = leader.0;
}

// `Single` and `Populated` of something else than data and a filter.
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
