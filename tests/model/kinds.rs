//! Worlds with entities of many kinds, and every verb that makes entities and components or takes
//! them away, beside a plain map.
//!
//! The other models have worlds of a few kinds, so that each kind has blocks of slots of its own
//! from the begin. Here up to 24 kinds come and go in turn, in worlds of 14 and of 79 components:
//! shared blocks that empty and are used again, blocks that change their owner, blocks of commands
//! that go back. Components that need a drop count their values; others are plain, packed or
//! without fields.
//!
//! Each run has other cases. The seed is printed on a failure: `ECS_KINDS_SEED=..` repeats it, and
//! `ECS_KINDS_OPERATIONS=..` sets the number of operations. A failure is found again with all
//! checks after each operation, and the operations are printed up to the first that goes wrong.

mod parts;
mod play;
mod queries;
mod worlds;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{SystemTime, UNIX_EPOCH};

use ecs_tests::random::rounds;
use play::{Play, seeded};
use worlds::{Game, Large, Small};

/// The number of operations in a run of all tests.
const OPERATIONS: u32 = 100_000;

/// The most operations on one world.
const PROGRAM: usize = 250;

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap_or_else(|_| panic!("`{name}` is no number")))
}

/// Runs a program: random operations on a new world, and returns their number. Checks everything
/// after each operation if `thorough`.
///
/// Most programs are short: entities share blocks of slots only as long as there are few of their
/// kind.
fn program<W: Game>(seed: u64, thorough: bool) -> usize {
    let steps = PROGRAM >> (seed % 4);
    let mut play = Play::<W>::new(seeded(seed));
    for step in 0..steps {
        play.step();
        play.check(thorough || step % 20 == 19);
    }
    play.finish();
    steps
}

fn programs<W: Game>(name: &str, share: usize) {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let given = setting("ECS_KINDS_SEED");
    let first = given.unwrap_or(since.as_nanos() as u64 % 1_000_000_000);
    let operations = setting("ECS_KINDS_OPERATIONS").unwrap_or(rounds(OPERATIONS).into()) as usize;
    let wanted = if given.is_some() { 1 } else { operations * share / 100 };
    let (mut done, mut seed) = (0, first);
    while done < wanted {
        match catch_unwind(|| program::<W>(seed, false)) {
            Ok(steps) => done += steps,
            Err(panic) => {
                eprintln!("a world of {name} components: ECS_KINDS_SEED={seed}");
                play::log_operations();
                let _ = catch_unwind(AssertUnwindSafe(|| program::<W>(seed, true)));
                resume_unwind(panic);
            }
        }
        seed += 1;
    }
}

#[test]
fn a_world_of_14_components_agrees_with_a_map() {
    programs::<Small>("14", 60);
}

#[test]
fn a_world_of_79_components_agrees_with_a_map() {
    programs::<Large>("79", 40);
}
