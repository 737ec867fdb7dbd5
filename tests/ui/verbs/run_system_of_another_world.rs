//! `run` of a system of another world.
use ecs::prelude::*;

#[derive(Component)]
struct Position(f32);

world! {
    struct Game { components { Position } }
}

world! {
    struct Menu { components { Position } }
    schedule tick { scroll }
}

#[system(Menu)]
fn scroll(position: &mut Position) {
    position.0 += 1.0;
}

fn main() {
    let mut game = Game::new();
    game.run::<scroll>();
}
