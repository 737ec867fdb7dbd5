//! Worlds by names: a world that does not derive `Reflect`, and changes through a handle that reads.
use ecs::prelude::*;
use ecs::reflect::ReflectWorld;
use serde::{Deserialize, Serialize};

#[derive(Component, Serialize, Deserialize)]
struct Position(f32);

world! {
    struct Game {
        components { Position }
    }
}

world! {
    #[derive(Reflect)]
    struct Shown {
        components { Position }
    }
}

fn main() {
    let game = Game::new();
    println!("{}", game.reflect().len());
    let shown = Shown::new();
    let mut handle = shown.reflect();
    let ball = handle.spawn(&[]).unwrap();
    handle.patch(ball, "Position", 1.0).unwrap();
}
