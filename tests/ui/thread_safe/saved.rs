//! A resource and an event that are not `Sync`, in a world that is saved.
use std::cell::Cell;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Resource, Serialize, Deserialize)]
struct Score(Cell<u32>);

#[derive(Event, Serialize, Deserialize)]
struct Said(Cell<u32>);

world! {
    #[derive(Serialize, Deserialize)]
    struct Game {
        resources { Score }
        events { Said }
    }
    schedule tick { say, hear }
}

#[system(Game)]
fn say(mut said: EventWriter<Said>, score: Res<Score>) {
    said.send(Said(score.0.clone()));
}

#[system(Game)]
fn hear(mut said: EventReader<Said>, mut score: ResMut<Score>) {
    for said in &mut said {
        score.0 = said.0.clone();
    }
}

fn main() {
    let mut game = Game::new(Score(Cell::new(1)));
    game.tick();
    let bytes = game.to_bytes().unwrap();
    let _ = Game::load(&bytes);
}
