//! Several mistakes of one kind (world) in one program: the macros report them.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components {
            Position, (f32, f32), target: Entity, commands: Commands<Game>, frozen: With<Position>
        }
        resources { positions: Query<&Position> }
        events { Ref<Position>, Game }
    }
    schedule tick { show }
}

// A system parameter as an entry of a world.
#[system(Game)]
fn show(position: &Position) {}

fn parameter_as_an_entry() {
    Game::new();
}

fn main() {}
