//! A snapshot is saved on another thread while the game goes on.

use std::thread;

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, Serialize, Deserialize)]
struct Age(u32);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game { components { Age } }
    schedule tick { grow }
}

#[system(Game)]
fn grow(age: &mut Age) {
    age.0 += 1;
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut game = Game::new();
    game.spawn_batch((0..10_000).map(Age));
    (0..3).for_each(|_| game.tick());

    // a snapshot shares its pages with the world: only pages that change afterwards are copied
    let snapshot = game.snapshot();
    let hash = game.hash();
    let saving = thread::spawn(move || {
        let mut copy = Game::new();
        copy.restore(&snapshot);
        copy.to_bytes().map_err(|error| error.to_string())
    });
    (0..5).for_each(|_| game.tick()); // the game goes on meanwhile

    let file = saving.join().expect("the thread has not panicked")?;
    let loaded = Game::load(&file)?;
    println!("saved as it was: {}", loaded.hash() == hash);
    println!("youngest: {:?} in the file", loaded.query::<&Age>().iter().map(|age| age.0).min());
    println!("youngest: {:?} in the game", game.query::<&Age>().iter().map(|age| age.0).min());
    Ok(())
}
