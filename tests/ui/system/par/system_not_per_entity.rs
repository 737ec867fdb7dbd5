use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
    schedule tick { movement, reset }
}

#[system(Game, par)]
fn movement(mut positions: Query<&mut Position>) {
    for position in &mut positions {
        position.0 += 1.0;
    }
}

#[system(Game, par)]
fn reset(game: &mut Game) {
    game.clear();
}

fn main() {}
