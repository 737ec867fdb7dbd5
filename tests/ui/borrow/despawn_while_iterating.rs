//! Despawning while a query is iterated.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        components { Position, Velocity }
    }
}

fn main() {
    let mut game = Game::new();
    for (entity, position) in &game.query::<(Entity, &Position)>() {
        if position.0 > 100.0 {
            let _ = game.despawn(entity);
        }
    }
}
