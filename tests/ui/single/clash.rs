//! The single entity may be one that the system walks over.
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
    schedule tick { chase }
}

#[system(Game)]
fn chase(position: &mut Position, leader: Single<&Position, With<Velocity>>) {
    position.0 = leader.0;
}

fn main() {}
