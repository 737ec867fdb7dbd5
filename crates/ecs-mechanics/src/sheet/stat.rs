//! [`Stat`]: the entries of a sheet, and the functions that compute derived ones.

use std::fmt;
use std::ops::RangeInclusive;

use super::{Sheet, TestDice};

/// An entry of a [`Sheet`]: an attribute, a skill or a derived value. An enum without fields
/// implements it.
///
/// Files have the entries by name, so that variants may be added, and put into another order.
///
/// ```
/// use std::ops::RangeInclusive;
/// use ecs_mechanics::sheet::{Before, Sheet, Stat};
///
/// #[derive(Clone, Copy, PartialEq, Eq, Debug)]
/// enum Trait { Strength, Climbing, Load }
///
/// impl Stat for Trait {
///     const SHEET: &'static str = "hero";
///     const ALL: &'static [Self] = &[Trait::Strength, Trait::Climbing, Trait::Load];
///
///     fn name(self) -> &'static str {
///         match self { Trait::Strength => "strength", Trait::Climbing => "climbing", Trait::Load => "load" }
///     }
///
///     fn range(self) -> RangeInclusive<i32> {
///         match self { Trait::Strength => 1..=20, Trait::Climbing => 0..=100, Trait::Load => 0..=1000 }
///     }
///
///     fn derived(self) -> Option<fn(Before<'_, Self>) -> i32> {
///         match self {
///             Trait::Load => Some(|sheet| 5 * sheet.value(Trait::Strength)),
///             _ => None,
///         }
///     }
/// }
///
/// assert_eq!(Sheet::new().with(Trait::Strength, 12).value(Trait::Load), 60);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an enum of the numbers on a sheet",
    label = "does not implement `Stat`",
    note = "write `impl Stat for {Self}`, with a name and a range for each of its variants"
)]
pub trait Stat: Copy + Eq + fmt::Debug + Send + Sync + 'static {
    /// The name of the sheet in errors, such as `hero`.
    const SHEET: &'static str;
    /// All stats. A derived one stands after those from which it is computed.
    const ALL: &'static [Self];
    /// The dice of tests.
    const DICE: TestDice = TestDice::D20;

    /// The name in files and in errors, such as `climbing`. Each stat has another one.
    fn name(self) -> &'static str;

    /// The values that the stat can have.
    fn range(self) -> RangeInclusive<i32>;

    /// The base value on a new sheet, and for a file that has none: the least value, unless the
    /// enum says otherwise.
    fn start(self) -> i32 {
        *self.range().start()
    }

    /// The function that computes a derived value from values of stats that stand before it in
    /// [`ALL`](Self::ALL).
    fn derived(self) -> Option<fn(Before<'_, Self>) -> i32> {
        None
    }

    /// The number of successful tests after which a base value grows by one; `None`, if it does not
    /// grow by use.
    fn uses_to_grow(self, _base: i32) -> Option<u32> {
        None
    }
}

/// The values of a sheet from which a derived one may be computed: those of the stats before it in
/// [`Stat::ALL`], so that no value is computed from itself.
pub struct Before<'a, S: Stat> {
    sheet: &'a Sheet<S>,
    of: usize,
}

impl<'a, S: Stat> Before<'a, S> {
    pub(super) const fn new(sheet: &'a Sheet<S>, of: usize) -> Self {
        Self { sheet, of }
    }

    /// The value of a stat, with its modifiers.
    ///
    /// # Panics
    /// If the stat does not stand before the derived one in [`Stat::ALL`].
    #[must_use]
    pub fn value(&self, stat: S) -> i32 {
        let derived = S::ALL[self.of].name();
        assert!(
            position(stat) < self.of,
            "`{derived}` of a {} is computed from `{}`, which stands after it in `Stat::ALL`: exchange the two",
            S::SHEET,
            stat.name()
        );
        self.sheet.value(stat)
    }
}

/// The place of a stat in [`Stat::ALL`].
pub(super) fn position<S: Stat>(stat: S) -> usize {
    S::ALL.iter().position(|known| *known == stat).unwrap_or_else(|| {
        panic!("`Stat::ALL` of a {} does not have `{stat:?}`: list all variants", S::SHEET)
    })
}

/// The nearest value in the range of the stat.
pub(super) fn clamped<S: Stat>(stat: S, value: i64) -> i32 {
    let range = stat.range();
    let nearest = value.min((*range.end()).into()).max((*range.start()).into());
    i32::try_from(nearest).unwrap_or(*range.start())
}

/// Six attributes from 1 to 20, which begin with 10 and do not grow by use: for games that need no
/// stats of their own.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Attribute {
    /// The power to lift and to strike.
    Strength,
    /// The skill of the hands and feet.
    Dexterity,
    /// The resistance to wounds and illness.
    Constitution,
    /// The power to learn and to conclude.
    Intelligence,
    /// The power to perceive and to resist magic.
    Wisdom,
    /// The power to persuade.
    Charisma,
}

impl Stat for Attribute {
    const SHEET: &'static str = "character";
    const ALL: &'static [Self] = &[
        Self::Strength,
        Self::Dexterity,
        Self::Constitution,
        Self::Intelligence,
        Self::Wisdom,
        Self::Charisma,
    ];

    fn name(self) -> &'static str {
        match self {
            Self::Strength => "strength",
            Self::Dexterity => "dexterity",
            Self::Constitution => "constitution",
            Self::Intelligence => "intelligence",
            Self::Wisdom => "wisdom",
            Self::Charisma => "charisma",
        }
    }

    fn range(self) -> RangeInclusive<i32> {
        1..=20
    }

    fn start(self) -> i32 {
        10
    }
}
