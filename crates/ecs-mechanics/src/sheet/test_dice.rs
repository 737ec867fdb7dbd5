//! [`Dice`], the random numbers of tests, and [`TestDice`], the dice that a test takes.

use ecs::prelude::*;
use oorandom::Rand32;
use serde::{Deserialize, Serialize};

/// Dice with a seed: the same seed gives the same numbers. A resource, which is saved, cloned and
/// rolled back with the world.
///
/// ```
/// use ecs_mechanics::sheet::Dice;
///
/// let (mut one, mut other) = (Dice::new(7), Dice::new(7));
/// assert_eq!(one.roll(20), other.roll(20));
/// assert!((3..=18).contains(&one.roll_many(3, 6)));
/// ```
#[derive(Resource, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(into = "(u64, u64)", try_from = "(u64, u64)")]
pub struct Dice(Rand32);

impl Dice {
    /// Dice with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Rand32::new(seed))
    }

    /// A number from 1 to `sides`.
    ///
    /// # Panics
    /// If the die has no sides.
    pub fn roll(&mut self, sides: u32) -> u32 {
        assert!(sides > 0, "a die has at least one side");
        self.0.rand_range(0..sides) + 1
    }

    /// The sum of several dice.
    ///
    /// # Panics
    /// If the dice have no sides, or the sum does not fit into a `u32`.
    pub fn roll_many(&mut self, count: u32, sides: u32) -> u32 {
        let sum: u64 = (0..count).map(|_| u64::from(self.roll(sides))).sum();
        u32::try_from(sum).unwrap_or_else(|_| panic!("the sum of {count} dice of {sides} sides is too large"))
    }
}

impl From<Dice> for (u64, u64) {
    fn from(dice: Dice) -> Self {
        dice.0.state()
    }
}

impl TryFrom<(u64, u64)> for Dice {
    type Error = String;

    fn try_from(state: (u64, u64)) -> Result<Self, String> {
        if state.1.is_multiple_of(2) {
            return Err(format!("the second number of dice is odd, and {} is not", state.1));
        }
        Ok(Self(Rand32::from_state(state)))
    }
}

/// The dice of a test, and the rolls that are critical whatever the values are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TestDice {
    count: u32,
    sides: u32,
    failures: u32,
    successes: u32,
}

impl TestDice {
    /// One die of 20 sides: 1 is a critical failure, 20 is a critical success.
    pub const D20: Self = Self::new(1, 20).with_criticals(1, 1);

    /// This number of dice with this number of sides. No roll is critical.
    ///
    /// # Panics
    /// If there are no dice, or more than 100, or the dice have no sides, or more than 1000. In a
    /// constant, it is a compile error.
    #[must_use]
    pub const fn new(count: u32, sides: u32) -> Self {
        assert!(count >= 1 && count <= 100, "a test takes 1 to 100 dice");
        assert!(sides >= 1 && sides <= 1000, "the dice of a test have 1 to 1000 sides");
        Self { count, sides, failures: 0, successes: 0 }
    }

    /// The dice with which so many of the lowest sums are critical failures, and so many of the
    /// highest are critical successes.
    ///
    /// # Panics
    /// If the dice have fewer sums. In a constant, it is a compile error.
    #[must_use]
    pub const fn with_criticals(mut self, failures: u32, successes: u32) -> Self {
        let sums = self.count * self.sides - self.count + 1;
        let fit = failures <= sums && successes <= sums - failures;
        assert!(fit, "critical failures and critical successes are more than the dice have sums");
        (self.failures, self.successes) = (failures, successes);
        self
    }

    /// Rolls the dice.
    pub(super) fn roll(self, dice: &mut Dice) -> u32 {
        dice.roll_many(self.count, self.sides)
    }

    pub(super) const fn is_critical_failure(self, rolled: u32) -> bool {
        rolled < self.count + self.failures
    }

    pub(super) const fn is_critical_success(self, rolled: u32) -> bool {
        rolled + self.successes > self.count * self.sides
    }
}
