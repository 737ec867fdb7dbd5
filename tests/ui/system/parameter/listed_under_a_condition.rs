//! A component that the world lists under a condition, and a system that asks for it without one.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);
#[derive(Component)]
struct Extra(f32);

world! {
    struct Game { components { Position, #[cfg(any())] Extra } }
    schedule tick { movement }
}

#[system(Game)]
fn movement(position: &mut Position, extra: &Extra) {
    position.0 += extra.0;
}

fn main() {
    Game::new().tick();
}
