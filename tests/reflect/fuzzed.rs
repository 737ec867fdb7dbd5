//! The checks of the fuzz target, over its seeds and random texts.

use ecs_tests::random::random_cases;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::fuzz::{SEEDS, check};

#[test]
fn seeds_are_run() {
    SEEDS.iter().for_each(|text| check(text));
}

/// Parts of lines.
const WORDS: [&str; 40] = [
    "Health",
    "Monster",
    "Account",
    "Player",
    "Frozen",
    "Burning",
    "Secret",
    "ChildOf",
    ".now",
    ".max",
    ".kind",
    ".path",
    ".loot",
    ".target",
    "[0]",
    ".Dragon",
    ".heads",
    ".Ghost",
    "=",
    " < ",
    " != ",
    "with ",
    "without ",
    "?",
    ", ",
    "order by ",
    " desc",
    "after ",
    "limit 1",
    "0v1",
    "1v1",
    "null",
    "3",
    "-1",
    "1e39",
    "\"Wolf\"",
    "{}",
    "[]",
    "+",
    "*",
];

proptest! {
    #![proptest_config(random_cases(400))]

    #[test]
    fn random_texts_are_refused_or_keep_the_rules(
        lines in vec(vec(select(&WORDS[..]), 0..7), 0..4),
        seed in any::<Index>(),
        insertions in vec((any::<Index>(), any::<char>()), 0..3),
    ) {
        let mut text: Vec<char> = seed.get(&SEEDS).chars().collect();
        for (at, char) in insertions {
            *at.get_mut(&mut text) = char;
        }
        let lines: Vec<String> = lines.iter().map(|words| words.concat()).collect();
        check(&(lines.join("\n") + "\n" + &text.into_iter().collect::<String>()));
        check(&lines.join("\n"));
    }
}
