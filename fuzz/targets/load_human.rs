//! The human-readable form, as JSON.
#![no_main]

use ecs_fuzz::{Game, live};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(game) = serde_json::from_slice::<Game>(data) {
        live(game);
    }
});
