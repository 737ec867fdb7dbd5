//! A bundle with two components that exclude each other.

use ecs::prelude::*;

#[derive(Component)]
#[component(excludes(Burning))]
struct Frozen;

#[derive(Component)]
#[component(excludes(Frozen))]
struct Burning;

#[derive(Component)]
struct Position;

world! {
    struct Game { components { Frozen, Burning, Position } }
}

fn main() {
    let mut game = Game::new();
    game.spawn((Frozen, (Position, Burning)));
}
