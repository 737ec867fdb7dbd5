//! Slices of a tracked component, which cannot record changes.
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
    let _ = game.query_mut::<Mut<Health>>().chunks();
}
