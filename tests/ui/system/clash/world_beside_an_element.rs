//! The whole world beside a per-entity parameter.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { leave }
}

#[system(Game)]
fn leave(game: &mut Game, entity: Entity, position: &Position) {
    if position.0 > 100.0 {
        let _ = game.despawn(entity);
    }
}

fn main() {}
