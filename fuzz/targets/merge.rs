//! Merging a file into a world: all of it is added, or the world is unchanged.
#![no_main]

use ecs::prelude::*;
use ecs::save::{DanglingIds, diff};
use ecs_fuzz::{crowd, live, sealed};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let file = sealed(data);
    for dangling in [DanglingIds::Refuse, DanglingIds::Keep] {
        let mut one = crowd();
        let before = one.clone();
        match one.merge(&file, dangling) {
            Ok(merged) => {
                assert!(merged.iter().all(|(_, new)| one.contains(new) && !before.contains(new)));
                live(one);
            }
            Err(_) => assert_eq!(diff(&one, &before), []),
        }
    }
});
