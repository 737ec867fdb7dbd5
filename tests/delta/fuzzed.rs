//! The checks of the fuzz targets, over their seeds and random bytes.

use ecs_tests::random::random_cases;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::fuzz::{apply, rounds, seeds};

#[test]
fn seeds_are_applied() {
    seeds().iter().for_each(|seed| apply(seed));
}

proptest! {
    #![proptest_config(random_cases(200))]

    #[test]
    fn random_messages_are_refused_or_keep_the_rules(
        seed in any::<Index>(),
        changes in vec((any::<Index>(), any::<u8>()), 0..4),
        tail in vec(any::<u8>(), 0..40),
    ) {
        let seeds = seeds();
        let mut bytes = seed.get(&seeds).clone();
        for (at, byte) in changes {
            *at.get_mut(&mut bytes) = byte;
        }
        bytes.extend(tail);
        apply(&bytes);
    }

    #[test]
    fn random_rounds_keep_a_replica_equal(bytes in vec(any::<u8>(), 0..400)) {
        rounds(&bytes);
    }
}
