//! Random numbers: the dice of a game, and the notation `2d6+1` for a throw in the content.
//!
//! The generator is a PCG with fixed parameters, so that a seed gives the same game on every
//! machine and in every version.

use std::fmt;
use std::str::FromStr;

use ecs::prelude::*;
use oorandom::Rand32;
use serde::{Deserialize, Serialize};

/// The random number generator of a game.
#[derive(Resource, Clone, Debug, Serialize, Deserialize)]
#[serde(from = "SavedDice", into = "SavedDice")]
pub struct Dice {
    seed: u64,
    generator: Rand32,
}

/// The saved form of the dice: their state between two throws.
#[derive(Serialize, Deserialize)]
#[serde(rename = "Dice")]
struct SavedDice {
    seed: u64,
    state: (u64, u64),
}

impl From<Dice> for SavedDice {
    fn from(Dice { seed, generator }: Dice) -> Self {
        Self { seed, state: generator.state() }
    }
}

impl From<SavedDice> for Dice {
    fn from(SavedDice { seed, state }: SavedDice) -> Self {
        Self { seed, generator: Rand32::from_state(state) }
    }
}

impl Dice {
    pub fn new(seed: u64) -> Self {
        Self { seed, generator: Rand32::new(seed) }
    }

    /// The seed.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// A number from zero up to, not including, `below`; zero if there is no such number.
    pub fn below(&mut self, below: u32) -> u32 {
        if below == 0 { 0 } else { self.generator.rand_range(0..below) }
    }

    /// True in `percent` of a hundred cases.
    pub fn chance(&mut self, percent: u8) -> bool {
        self.below(100) < u32::from(percent)
    }

    /// The sum of a throw.
    pub fn throw(&mut self, roll: Roll) -> u16 {
        let mut die = || self.below(u32::from(roll.sides)) as u16 + 1;
        let pips: u16 = (0..roll.count).map(|_| die()).sum();
        pips + roll.bonus // 255d255+255 is well below the largest number
    }
}

/// A number of dice, their sides, and a bonus: `2d6+1`, `d8`, or just `3`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Roll {
    count: u8,
    sides: u8,
    bonus: u16,
}

impl Roll {
    /// A throw of `count` dice with `sides` sides each. Without sides, the result is always 0.
    pub const fn new(count: u8, sides: u8) -> Self {
        if sides == 0 { Self { count: 0, sides, bonus: 0 } } else { Self { count, sides, bonus: 0 } }
    }
}

impl FromStr for Roll {
    type Err = NotDice;

    fn from_str(text: &str) -> Result<Self, NotDice> {
        let wrong = || NotDice(text.to_owned());
        let number = |digits: &str| digits.parse::<u8>().map_err(|_| wrong());
        let (dice, bonus) = text.split_once('+').unwrap_or((text, "0"));
        let Some((count, sides)) = dice.split_once('d') else {
            // A plain number is a throw without dice.
            let bonus = u16::from(number(dice)?) + u16::from(number(bonus)?);
            return Ok(Self { count: 0, sides: 0, bonus });
        };
        let count = if count.is_empty() { 1 } else { number(count)? };
        let (sides, bonus) = (number(sides)?, u16::from(number(bonus)?));
        if sides == 0 { Err(wrong()) } else { Ok(Self { count, sides, bonus }) }
    }
}

impl TryFrom<String> for Roll {
    type Error = NotDice;

    fn try_from(text: String) -> Result<Self, NotDice> {
        text.parse()
    }
}

impl From<Roll> for String {
    fn from(roll: Roll) -> Self {
        roll.to_string()
    }
}

impl fmt::Display for Roll {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { count: 0, bonus, .. } => write!(f, "{bonus}"),
            Self { count, sides, bonus: 0 } => write!(f, "{count}d{sides}"),
            Self { count, sides, bonus } => write!(f, "{count}d{sides}+{bonus}"),
        }
    }
}

/// A text that does not describe a throw of dice.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a throw of dice such as \"2d6+1\"")]
pub struct NotDice(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notation_reads_back_as_written() {
        for text in ["2d6+1", "1d8", "3", "0"] {
            assert_eq!(text.parse::<Roll>().map(|roll| roll.to_string()), Ok(text.to_owned()));
        }
        assert_eq!("d4".parse::<Roll>(), "1d4".parse::<Roll>());
    }

    #[test]
    fn nonsense_is_refused() {
        for text in ["", "d", "2d", "d0", "2x6", "1d6+", "1d6-1", "1d999"] {
            assert_eq!(text.parse::<Roll>(), Err(NotDice(text.to_owned())));
        }
    }

    #[test]
    fn throws_stay_in_range_and_repeat_with_the_seed() {
        let roll: Roll = "2d6+1".parse().unwrap();
        let throws = |seed| {
            let mut dice = Dice::new(seed);
            (0..200).map(|_| dice.throw(roll)).collect::<Vec<_>>()
        };
        assert!(throws(7).iter().all(|sum| (3..=13).contains(sum)));
        assert_eq!(throws(7), throws(7));
        assert_ne!(throws(7), throws(8));
    }
}
