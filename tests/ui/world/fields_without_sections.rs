//! Components that are listed as the fields of a struct, without a section.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Velocity(f32);

world! {
    struct Game {
        position: Position,
        velocity: Velocity,
    }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position, velocity: &Velocity) {
    position.0 += velocity.0;
}

fn main() {
    Game::new().tick();
}
