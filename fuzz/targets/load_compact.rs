//! The compact form: any bytes give a world or an error.
#![no_main]

use ecs::prelude::*;
use ecs_fuzz::{Game, live, sealed};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(game) = Game::load(&sealed(data)) {
        live(game);
    }
});
