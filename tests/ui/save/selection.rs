//! Selections of components that are not `Serialize`, that are named with `&`, and of a world that is not `Clone`.
use ecs::prelude::*;
use ecs::save::Selection;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize)]
struct Position(f32);
#[derive(Component)]
struct Sprite(u8);

world! {
    struct Game {
        components { Position, Sprite }
    }
}

fn main() {
    let mut game = Game::new();
    let _ = Selection::<Game>::of::<(Position, Sprite)>();
    let _ = Selection::<Game>::of::<&Position>();
    let _ = Selection::<Game>::of::<Position>().baseline(&mut game, 1);
}
