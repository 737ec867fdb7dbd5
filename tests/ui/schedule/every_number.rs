//! `every` with a number in place of a clock.
use ecs::prelude::*;

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
        components { Position, Velocity }
        resources { clock: Clock, paused: Paused }
    }
    schedule tick every 60 {
        movement,
    }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

fn main() {
    Game::new(Clock::default(), Paused(false)).tick();
}
