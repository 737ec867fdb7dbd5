//! One program in every executor: random calls of schedules and of methods between them, on several
//! copies of a world. The copies differ only in the parallelism, the number of threads, and the
//! measuring of systems. After every call the saves of all copies are equal, byte by byte, and so
//! are the results of the call.
//!
//! The schedules cover all executors: plain ones use the fast path unless systems are measured; the
//! others have conditions, failures, reactions, fixed steps, exclusive systems and nested
//! schedules. Systems take snapshots of the world and restore them, and change the run-time
//! schedule, which is random.

use std::sync::{Mutex, PoisonError};

mod bombs;
mod copy;
mod picky;
mod step;
mod systems;
mod whole;
mod world;

use ecs::prelude::*;
use ecs_tests::random::{Random, rounds};

use copy::{Copy, hows, pools};
use step::{CALLS, Step};
use world::Fuse;

/// Tests run one at a time, since they share the flag that arms shards.
static ONE: Mutex<()> = Mutex::new(());

/// Draws the next step.
type Draw = fn(&mut Random) -> Step;

fn executors_agree(rounds: u32, seed: u64, panics: bool, draw: Draw) {
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let pools = pools();
    let mut random = Random(0x2545_f491_4f6c_dd1d ^ seed);
    let mut own = Random(99);
    for round in 0..rounds {
        let seed = random.below(u64::MAX - 1) + 1;
        let mut copies: Vec<Copy> = hows().into_iter().map(|how| Copy::new(how, seed)).collect();
        let mut done = Vec::new();
        for _ in 0..14 {
            let first = panics && done.is_empty();
            let step = match if first { Step::fuse(&mut random) } else { draw(&mut random) } {
                Step::Fuse(number) if !panics => Step::Fuse(number & Fuse::FAILURES),
                step => step,
            };
            let name = match step {
                Step::Call(call) => CALLS[call].0.into(),
                ref step => format!("{step:?}"),
            };
            done.push(name);
            let mut expected = None;
            for copy in &mut copies {
                let said = pools[copy.how.pool].install(|| copy.apply(&step, &mut own));
                let (bytes, hash) = (copy.game.to_bytes().unwrap(), copy.game.hash());
                let (first, first_bytes, first_hash, game) =
                    expected.get_or_insert_with(|| (said.clone(), bytes.clone(), hash, copy.game.clone()));
                let how = &copy.how;
                assert_eq!(said, *first, "round {round}, {done:?}, {how:?}");
                if bytes != *first_bytes {
                    let differences = ecs::save::diff(game, &copy.game);
                    panic!("round {round}, {done:?}, {how:?}: {differences:#?}");
                }
                assert_eq!(hash, *first_hash, "round {round}, {done:?}, {how:?}");
            }
        }
    }
}

#[test]
fn every_executor_does_the_same() {
    executors_agree(rounds(30), 40, false, Step::random);
}

#[test]
fn every_executor_leaves_the_same_after_a_panic() {
    executors_agree(rounds(50), 80, true, Step::random);
}

#[test]
fn a_random_schedule_does_the_same_in_every_executor() {
    executors_agree(rounds(400), 120, false, Step::of_built_schedule);
}
