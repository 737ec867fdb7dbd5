//! The settings of random tests: each run has the same cases, so that a passing run passes again
//! with the same code. `PROPTEST_RNG_SEED` chooses other cases, `PROPTEST_CASES` more of them;
//! `just explore` does both.
//!
//! In debug, a run has the first fifth of the cases unless `ROUNDS=all` is set: there a round takes
//! many times as long as in release. `.ci/run` has all cases once, in one of the two.

use proptest::test_runner::{Config, RngSeed};

/// The seed of a run for which `PROPTEST_RNG_SEED` is not set.
const SEED: u64 = 20_240_229;

/// All rounds of a random test in release and where `ROUNDS=all` is set; a fifth of them in debug.
#[must_use]
pub fn rounds(all: u32) -> u32 {
    let in_full = !cfg!(debug_assertions) || std::env::var_os("ROUNDS").is_some_and(|value| value == "all");
    if in_full { all } else { all.div_ceil(5) }
}

/// A configuration of the [`rounds`] of `cases` cases, or of as many as `PROPTEST_CASES` says.
#[must_use]
pub fn random_cases(cases: u32) -> Config {
    let default = Config::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { rounds(cases) };
    let rng_seed = if default.rng_seed == RngSeed::Random { RngSeed::Fixed(SEED) } else { default.rng_seed };
    Config { cases, rng_seed, failure_persistence: None, ..default }
}

/// Random numbers for operations that are drawn one by one. Source: Marsaglia's xorshift64.
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A number that is less than `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// A place in a list of this length; 0 in an empty one.
    pub fn place(&mut self, len: usize) -> usize {
        (self.next() >> 11) as usize % len.max(1)
    }

    /// Whether something happens that happens once in `n` times.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.place(n) == 0
    }
}
