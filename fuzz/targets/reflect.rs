//! A world by names: queries as text, and paths with values.
#![no_main]

#[path = "../names.rs"]
#[allow(dead_code, reason = "the seeds are for another program")]
mod names;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = core::str::from_utf8(data) {
        names::check(text);
    }
});
