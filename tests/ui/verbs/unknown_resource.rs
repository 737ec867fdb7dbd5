//! Reading a resource that the world does not have.
use ecs::prelude::*;

#[derive(Resource, Default)]
struct Clock(f32);
#[derive(Resource)]
struct Score(u32);

world! {
    struct Game {
        resources { clock: Clock = Clock::default() }
    }
}

fn main() {
    let game = Game::new();
    game.resource::<Score>();
}
