//! A field with a visibility, though the fields of a world are private.
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
        components { pub position: Position, pub(crate) Velocity }
        resources { pub clock: Clock }
        events { pub Bumped(external) }
    }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity, clock: Res<Clock>) {
    position.0 += velocity.0 * clock.0;
}

fn main() {}
