//! `mut` before the type of a parameter.
use ecs::prelude::*;

#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { Velocity }
    }
    schedule tick { stop }
}

#[system(Game)]
fn stop(velocity: mut Velocity) {
    velocity.0 = 0.0;
}

fn main() {
    Game::new().tick();
}
