//! Several mistakes of one kind (system, unknown) in one program: traits refuse them.
use ecs::prelude::*;

#[derive(Component, Default)]
struct Position(f32);
#[derive(Aspect)]
struct Mob {
    position: Position,
}
#[derive(Bundle)]
struct Body {
    position: Position,
}
#[derive(Resource, Default)]
struct Clock(f32);
#[derive(Event)]
struct Bumped(u32);

world! {
    struct Game {
        components { Position }
        resources { clock: Clock = Clock::default() }
    }
    schedule tick { aspects, bundles, in_a_query, in_a_filter, advance, score, bump }
}

// An aspect, a bundle and a reference in the place of a component.
#[system(Game)]
pub fn aspects(mob: &Mob) {}

#[system(Game)]
pub fn bundles(body: &mut Body) {}

#[system(Game)]
pub fn in_a_query(mobs: Query<&Mob>) {}

#[system(Game)]
pub fn in_a_filter(position: &Position, _: With<Body>) {}

// A resource by mutable reference, in place of `ResMut`.
#[system(Game)]
fn advance(clock: &mut Clock) {
    clock.0 += 0.125;
}

// A reader of an event that the world does not have.
#[system(Game)]
fn score(mut bumped: EventReader<Bumped>) {
    for bump in bumped.iter() {
        println!("{}", bump.0);
    }
}

// A writer of an event that the world does not have.
#[system(Game)]
fn bump(mut bumped: EventWriter<Bumped>) {
    bumped.send(Bumped(1));
}

fn main() {}
