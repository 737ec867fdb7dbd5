//! `get_tracked` of a component that is not tracked.
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
    let ball = game.spawn(Position(1.0));
    game.get_tracked::<Position>(ball);
}
