//! A system parameter as an entry of a world.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position, target: Entity, commands: Commands<Game>, frozen: With<Position> }
        resources { positions: Query<&Position> }
        events { Ref<Position>, Game }
    }
    schedule tick { show }
}

#[system(Game)]
fn show(position: &Position) {}

fn main() {
    Game::new();
}
