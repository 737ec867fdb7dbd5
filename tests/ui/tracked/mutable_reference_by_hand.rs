//! A query outside of systems that borrows a tracked component with `&mut`.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
#[component(tracked)]
struct Health(u32);
#[derive(Component)]
struct Frozen;

world! {
    struct Game {
        components { Position, Health, Frozen }
    }
}

fn main() {
    let mut game = Game::new();
    for health in game.query_mut::<&mut Health>() {
        health.0 += 1;
    }
}
