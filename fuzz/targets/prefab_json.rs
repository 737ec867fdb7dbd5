//! Prefabs in JSON.
#![no_main]

use ecs::Prefab;
use ecs::prelude::*;
use ecs_fuzz::{Game, crowd, live};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(text) = core::str::from_utf8(data) else { return };
    let Ok(prefab) = Prefab::<Game>::from_json("fuzz", text) else { return };
    let mut game = crowd();
    for _ in 0..2 {
        let before = game.entities().len();
        if prefab.spawn(&mut game).is_err() {
            assert_eq!(game.entities().len(), before);
        }
    }
    live(game);
});
