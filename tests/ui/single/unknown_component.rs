//! `Single` asks for a component that the world does not have.
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

#[derive(Component)]
struct Leader;

#[system(Game)]
fn chase(leader: Single<&Position, With<Leader>>) {
    let _ = leader.0;
}

fn main() {}
