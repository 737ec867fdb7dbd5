//! Several mistakes of one kind (world) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Event)]
struct Bumped(u32);
#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);
#[derive(Resource, Default)]
struct Clock {
    step: f32,
}
#[derive(Resource, Default)]
struct Paused(bool);

world! {
    struct Game {
        events { bumped: Bumped, hit: Bumped }
        components { self: Position, crate: Velocity }
        resources { _: Clock, __entities: Paused }
    }
    schedule tick { movement }
}

// Fields with reserved names.
#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

fn main() {}
