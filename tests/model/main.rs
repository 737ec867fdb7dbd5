//! Random operations on a world and on a plain map. After each, both are compared in every way.
#![forbid(unsafe_code)]

mod background;
mod batches;
mod check;
mod disabled;
mod events;
mod executors;
mod followed;
mod game;
mod hook;
mod index;
mod iteration;
mod kinds;
mod numbers;
mod operation;
mod ordered;
mod packed;
mod plain;
mod prefab;
mod reactions;
mod regroup;
mod relations;
mod saves;
mod schedule;
mod shrink_and_fill;
mod snapshots;
mod targets;

use ecs_tests::random::random_cases;
use proptest::prelude::*;

use operation::{Operation, Pair, operations};

/// Applies the operations one by one and checks everything after each.
fn run(operations: Vec<Operation>, thorough: bool) -> Result<(), TestCaseError> {
    let mut pair = Pair::new();
    for operation in operations {
        pair.apply(&operation);
        check::agreement(&pair, thorough)
            .map_err(|error| TestCaseError::fail(format!("after {operation:?}: {error}")))?;
    }
    pair.finish().map_err(TestCaseError::fail)
}

proptest! {
    #![proptest_config(random_cases(400))]

    #[test]
    fn a_world_agrees_with_a_map(operations in operations(1..60, 1..12)) {
        run(operations, true)?;
    }

    #[test]
    fn a_crowded_world_agrees_with_a_map(operations in operations(1..30, 50..400)) {
        run(operations, false)?;
    }
}
