//! Character sheets: attributes and skills with base values, modifiers that can be taken back, and
//! tests on dice.
//!
//! The entries of a sheet are the variants of an enum with [`Stat`], and the component [`Sheet`]
//! has a base value for each of them. A [`Modifier`] changes a value, not the base: it has a
//! source, such as an item or a spell, and [`Sheet::take_back`] removes all modifiers of a source,
//! so that nothing is left of them. A derived value is computed from others.
//!
//! Systems ask by the event [`SkillTest`]. The system [`run_tests`] rolls the [`Dice`], answers by
//! [`Tested`], and sends a [`TestRefusal`] for each test that is not possible. [`try_run_tests`] is
//! strict: it fails with the first refusal. A skill grows by use, if [`Stat::uses_to_grow`] says
//! so.
//!
//! ```
//! use ecs::prelude::*;
//! use ecs_mechanics::sheet::{self, Modifier, Sheet, SkillTest, Stat, Tested};
//! use std::ops::RangeInclusive;
//!
//! #[derive(Clone, Copy, PartialEq, Eq, Debug)]
//! enum Trait { Agility, Climbing }
//!
//! impl Stat for Trait {
//!     const SHEET: &'static str = "climber";
//!     const ALL: &'static [Self] = &[Trait::Agility, Trait::Climbing];
//!     fn name(self) -> &'static str {
//!         match self { Trait::Agility => "agility", Trait::Climbing => "climbing" }
//!     }
//!     fn range(self) -> RangeInclusive<i32> { 0..=100 }
//! }
//!
//! world! {
//!     struct Cliff { include sheet::sheet::<Trait> { Tested(external) }; }
//!     schedule turn { include sheet::skill_tests::<Trait> }
//! }
//!
//! let mut cliff = Cliff::new();
//! let ada = cliff.spawn(Sheet::new().with(Trait::Climbing, 30));
//! let sheet = cliff.get_mut::<Sheet<Trait>>(ada).unwrap();
//! sheet.modify(Modifier::new(Trait::Climbing, -10, "rain"));
//! assert_eq!((sheet.base(Trait::Climbing), sheet.value(Trait::Climbing)), (30, 20));
//! assert_eq!(sheet.take_back("rain"), 1);
//!
//! cliff.send(SkillTest::new(ada, Trait::Climbing, 31));      // a die of 20 sides and 30 reach 31
//! cliff.turn();
//! let tested: Vec<Tested<Trait>> = cliff.drain().collect();
//! assert!(tested[0].degree.is_success() && tested[0].margin >= 0);
//! ```

mod modifier;
mod refusal;
mod saved;
mod skill_test;
mod stat;
mod test_dice;

use std::error::Error;
use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use ecs::prelude::*;

pub use self::modifier::{Bonus, Expired, Modifier, ModifierSource, expire_modifiers, wear};
pub use self::refusal::{TestReason, TestRefusal};
pub use self::skill_test::{Degree, Difficulty, Grown, SkillTest, Tested, run_tests, try_run_tests};
pub use self::stat::{Attribute, Before, Stat};
pub use self::test_dice::{Dice, TestDice};

/// The values of a character. A component.
///
/// A value is the base value, or the result of [`Stat::derived`], with the modifiers, and stays in
/// [`Stat::range`]. The modifiers are kept beside the base value: when one is taken back, the value
/// is what it was, also if it had reached the end of its range.
///
/// A file has the base values by name. A value that the file leaves out is [`Stat::start`], and an
/// unknown name or a value out of range is an error.
///
/// # Cost
/// A value takes time in proportion to the number of stats and of modifiers.
#[derive(Component, Clone, PartialEq, Eq, Debug)]
pub struct Sheet<S: Stat> {
    /// In the order of [`Stat::ALL`].
    entries: Vec<Entry>,
    modifiers: Vec<Modifier<S>>,
}

/// The base value of a stat, and the uses since it last grew. Both are zero for a derived value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Entry {
    base: i32,
    uses: u32,
}

impl<S: Stat> Default for Sheet<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Stat> Sheet<S> {
    /// A sheet with the base values of [`Stat::start`].
    ///
    /// # Panics
    /// If a start is not in the range of its stat.
    #[must_use]
    pub fn new() -> Self {
        let entry = |stat: &S| {
            let base = if stat.derived().is_some() { 0 } else { stat.start() };
            let (name, range) = (stat.name(), stat.range());
            assert!(
                stat.derived().is_some() || range.contains(&base),
                "`Stat::start` of `{name}` of a {} is {base}, and the range is {} to {}",
                S::SHEET,
                range.start(),
                range.end()
            );
            Entry { base, uses: 0 }
        };
        Self { entries: S::ALL.iter().map(entry).collect(), modifiers: Vec::new() }
    }

    /// The sheet with this base value.
    ///
    /// # Panics
    /// If the value is not in the range of the stat, or the stat is derived: see
    /// [`try_set_base`](Self::try_set_base).
    #[must_use]
    pub fn with(mut self, stat: S, base: i32) -> Self {
        match self.try_set_base(stat, base) {
            Ok(()) => self,
            Err(error) => panic!("{error}"),
        }
    }

    /// Sets a base value. The uses since it last grew are zero then.
    ///
    /// # Errors
    /// If the value is not in the range of the stat, or the stat is derived.
    pub fn try_set_base(&mut self, stat: S, base: i32) -> Result<(), InvalidBase> {
        let (sheet, name, range) = (S::SHEET, stat.name(), stat.range());
        if stat.derived().is_some() {
            return Err(InvalidBase::Derived { sheet, stat: name });
        }
        if !range.contains(&base) {
            return Err(InvalidBase::OutOfRange { sheet, stat: name, base, range });
        }
        self.entries[stat::position(stat)] = Entry { base, uses: 0 };
        Ok(())
    }

    /// The base value, without modifiers; the computed value of a derived stat.
    #[must_use]
    pub fn base(&self, stat: S) -> i32 {
        let at = stat::position(stat);
        match stat.derived() {
            Some(derived) => stat::clamped(stat, derived(Before::new(self, at)).into()),
            None => self.entries[at].base,
        }
    }

    /// The value with all modifiers, in the range of the stat.
    #[must_use]
    pub fn value(&self, stat: S) -> i32 {
        let of = |modifier: &&Modifier<S>| modifier.stat == stat;
        let modifiers: i64 =
            self.modifiers.iter().filter(of).map(|modifier| i64::from(modifier.amount)).sum();
        stat::clamped(stat, i64::from(self.base(stat)) + modifiers)
    }

    /// The modifiers, in the order in which they were added.
    #[must_use]
    pub fn modifiers(&self) -> &[Modifier<S>] {
        &self.modifiers
    }

    /// Adds a modifier. Several modifiers of one stat are added up, also those of one source.
    pub fn modify(&mut self, modifier: Modifier<S>) {
        self.modifiers.push(modifier);
    }

    /// Removes all modifiers of a source: of an item, `take_back(sword)`, or a name,
    /// `take_back("rain")`. Returns their number.
    pub fn take_back(&mut self, source: impl Into<ModifierSource>) -> usize {
        let (source, before) = (source.into(), self.modifiers.len());
        self.modifiers.retain(|modifier| modifier.source != source);
        before - self.modifiers.len()
    }

    /// Removes the modifiers whose time is over at this time of their clock, and hands each to the
    /// function.
    ///
    /// The system [`expire_modifiers`] calls it for all sheets.
    pub fn expire(&mut self, now: Duration, mut expired: impl FnMut(Modifier<S>)) {
        if self.modifiers.iter().any(|modifier| modifier.is_over(now)) {
            self.modifiers.extract_if(.., |modifier| modifier.is_over(now)).for_each(&mut expired);
        }
    }

    /// The uses of a stat since it last grew.
    #[must_use]
    pub fn uses(&self, stat: S) -> u32 {
        self.entries[stat::position(stat)].uses
    }

    /// Counts a use of the stat. After as many uses as [`Stat::uses_to_grow`] says, the base value
    /// grows by one, up to the end of its range. Returns the base value, if it has grown.
    pub fn practise(&mut self, stat: S) -> Option<i32> {
        let entry = &mut self.entries[stat::position(stat)];
        if stat.derived().is_some() || entry.base >= *stat.range().end() {
            return None;
        }
        let needed = stat.uses_to_grow(entry.base)?;
        entry.uses = entry.uses.saturating_add(1);
        if entry.uses < needed {
            return None;
        }
        *entry = Entry { base: entry.base + 1, uses: 0 };
        Some(entry.base)
    }
}

/// A base value that a sheet cannot have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InvalidBase {
    /// The value is not in the range of the stat.
    OutOfRange {
        /// The name of the sheet.
        sheet: &'static str,
        /// The name of the stat.
        stat: &'static str,
        /// The value.
        base: i32,
        /// The range.
        range: RangeInclusive<i32>,
    },
    /// The stat is computed from others.
    Derived {
        /// The name of the sheet.
        sheet: &'static str,
        /// The name of the stat.
        stat: &'static str,
    },
}

impl fmt::Display for InvalidBase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OutOfRange { sheet, stat, base, range } => {
                let (least, most) = (range.start(), range.end());
                write!(f, "`{stat}` of a {sheet} is from {least} to {most}, and is given {base}")
            }
            Self::Derived { sheet, stat } => {
                write!(f, "`{stat}` of a {sheet} is computed from other values: it has no base value")
            }
        }
    }
}

impl Error for InvalidBase {}

parts! {
    /// The dice of all tests. The first seed is 0: `include sheet::dice { Dice = Dice::new(7) }`
    /// begins with another one.
    pub dice {
        resources {
            /// The dice of all tests.
            Dice = Dice::new(0)
        }
    }
}

parts! {
    /// The sheets of one enum of stats, with the dice and the tests.
    pub sheet<S: Stat = Attribute> {
        include dice;
        components {
            /// The values of a character.
            Sheet<S>,
            /// The modifiers by an item, while it is equipped.
            Bonus<S>,
        }
        events { SkillTest<S>(external), Tested<S>, Grown<S>, Expired<S>, TestRefusal }
        schedule skill_tests { run_tests::<S> }
    }
}
