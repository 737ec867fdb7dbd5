//! Loading a world that does not derive `Serialize`.

use ecs::prelude::*;
use ecs::save::{LoadOptions, Saved};

#[derive(Component)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

fn back_up<W: Saved>(_world: &W) {}

fn main() {
    let bytes: &[u8] = &[];
    let _ = Game::load(bytes);
    let _ = Game::load_with(bytes, LoadOptions::new());
    let _ = Game::schema();
    back_up(&Game::new());
}
