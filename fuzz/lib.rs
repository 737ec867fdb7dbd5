//! A world with every feature, and the checks of a world that was loaded from a fuzzed file.
#![forbid(unsafe_code)]

mod game;

pub use game::{Game, game};

use ecs::__private::save::reseal;
use ecs::command::FailurePolicy;
use ecs::prelude::*;
use ecs::save::diff;

/// The length of the head of a file in the compact form: magic, version, fingerprint, and the block
/// of names and layouts.
fn head(file: &[u8]) -> usize {
    let length = file[20..28].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
    28 + length as usize
}

thread_local! {
    static HEAD: Vec<u8> = {
        let mut right = Game::default().to_bytes().expect("it can be saved");
        right.truncate(head(&right));
        right
    };
    static CROWD: Game = game::crowd();
}

/// A world with an entity of each kind, but without unique components and keys, so that most files
/// can be merged into it.
pub fn crowd() -> Game {
    CROWD.with(Game::clone)
}

/// A file with a valid checksum and, depending on the first byte of `data`, a valid head.
pub fn sealed(data: &[u8]) -> Vec<u8> {
    let Some((&how, data)) = data.split_first() else { return Vec::new() };
    let mut file = Vec::new();
    if how != 0xff {
        HEAD.with(|head| file.extend_from_slice(head));
    }
    file.extend_from_slice(data);
    file.extend_from_slice(&[0; 8]);
    reseal(&mut file);
    file
}

/// The input with which [`sealed`] makes this file.
pub fn unsealed(file: &[u8]) -> Vec<u8> {
    let mut data = vec![0];
    data.extend_from_slice(&file[head(file)..file.len() - 8]);
    data
}

/// Checks an accepted world: it can be saved and loaded again, it runs, and all its entities can be
/// despawned.
pub fn live(mut game: Game) {
    game.on_failed_command(FailurePolicy::Ignore);
    saved(&game);
    let mut copy = game.clone();
    for _ in 0..10 {
        game.tick();
        game.simulate();
        copy.tick();
        copy.simulate();
    }
    assert_eq!(game.hash(), copy.hash(), "a clone goes on alike");
    let living: Vec<Entity> = game.entities().iter().collect();
    let new: Vec<Entity> = (0..70).map(|_| game.spawn(())).collect();
    assert!(new.iter().all(|new| !living.contains(new)), "somebody had an id already");
    saved(&game);
    for entity in living.iter().step_by(2) {
        let _ = game.despawn(*entity);
    }
    game.tick();
    saved(&game);
    game.clear();
    assert_eq!(game.entities().len(), 0);
    game.tick();
}

/// Checks that a saved world is equal after loading.
fn saved(game: &Game) {
    let bytes = game.to_bytes().expect("a world can be saved");
    let again = Game::load(&bytes).unwrap_or_else(|error| panic!("what was saved is refused: {error}"));
    assert_eq!(again.to_bytes().expect("it can be saved again"), bytes, "{:?}", diff(game, &again));
}
