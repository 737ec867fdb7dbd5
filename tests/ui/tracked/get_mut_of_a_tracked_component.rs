//! `get_mut` of a tracked component.
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
    let hero = game.spawn(Health(1));
    game.get_mut::<Health>(hero);
}
