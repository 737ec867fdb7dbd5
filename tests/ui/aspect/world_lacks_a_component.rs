//! Spawning an aspect with a component that the world does not have.
use ecs::prelude::*;
use ecs::Aspect;

#[derive(Component, Default)]
struct Health {
    now: u32,
    max: u32,
}
#[derive(Component, Default)]
struct Speed(u32);

#[derive(Aspect)]
struct Monster {
    health: Health,
    speed: Speed,
}

world! {
    struct Game {
        components { Health }
    }
}

fn main() {
    Game::new().spawn(Monster::fresh());
}
