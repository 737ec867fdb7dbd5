//! Tests of skills: the request, the result, and the systems that roll the dice.

use ecs::prelude::*;
use serde::{Deserialize, Serialize};

use super::saved::by_name;
use super::{Dice, Sheet, Stat, TestReason, TestRefusal};

/// Asks for a test of a stat. An event.
#[derive(Event, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct SkillTest<S: Stat> {
    /// The entity with the sheet.
    pub entity: Entity,
    /// The stat.
    #[serde(with = "by_name")]
    pub stat: S,
    /// The number that the test must reach, or the opponent that it must surpass.
    pub difficulty: Difficulty<S>,
}

/// The difficulty of a test: a number, or an opponent.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub enum Difficulty<S: Stat> {
    /// The total must reach this number.
    Fixed(i32),
    /// The total must be greater than that of an opponent, who rolls as well.
    Opposed {
        /// The opponent.
        entity: Entity,
        /// The stat of the opponent.
        #[serde(with = "by_name")]
        stat: S,
    },
}

impl<S: Stat> SkillTest<S> {
    /// A test against a difficulty: the dice and the value must reach it.
    #[must_use]
    pub const fn new(entity: Entity, stat: S, difficulty: i32) -> Self {
        Self { entity, stat, difficulty: Difficulty::Fixed(difficulty) }
    }

    /// A test against an opponent, who rolls as well. The opponent wins a tie.
    #[must_use]
    pub const fn opposed(entity: Entity, stat: S, opponent: Entity, opposing: S) -> Self {
        Self { entity, stat, difficulty: Difficulty::Opposed { entity: opponent, stat: opposing } }
    }
}

/// A degree of success. The order is from the worst to the best.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Degree {
    /// The dice are among the lowest: see
    /// [`TestDice::with_criticals`](super::TestDice::with_criticals).
    CriticalFailure,
    /// The test failed.
    Failure,
    /// The test succeeded.
    Success,
    /// The dice are among the highest.
    CriticalSuccess,
}

impl Degree {
    /// Whether the test succeeded.
    #[must_use]
    pub fn is_success(self) -> bool {
        self >= Self::Success
    }
}

/// The result of a test. An event.
#[derive(Event, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Tested<S: Stat> {
    /// The entity with the sheet.
    pub entity: Entity,
    /// The stat.
    #[serde(with = "by_name")]
    pub stat: S,
    /// The difficulty.
    pub difficulty: Difficulty<S>,
    /// The sum of the dice.
    pub rolled: u32,
    /// The difference of the sum of dice and value, and the difficulty or the opponent's sum. A
    /// critical result does not change it.
    pub margin: i32,
    /// The degree of success.
    pub degree: Degree,
}

/// A base value has grown by use. An event.
#[derive(Event, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Grown<S: Stat> {
    /// The entity with the sheet.
    pub entity: Entity,
    /// The stat.
    #[serde(with = "by_name")]
    pub stat: S,
    /// The base value.
    pub base: i32,
}

/// System: carries out the requests [`SkillTest`], in the order in which they were sent. Requests
/// that are not possible are answered by [`TestRefusal`], and roll no dice.
///
/// The entity rolls the dice of [`Stat::DICE`] and adds the value of its stat; an opponent does the
/// same afterwards. A critical roll decides the test, unless both sides have the same one. A test
/// that succeeds is a use of the stat: see [`Sheet::practise`].
#[system]
pub fn run_tests<S: Stat>(
    mut requests: EventReader<SkillTest<S>>,
    mut tests: Tests<'_, S>,
    mut refused: EventWriter<TestRefusal>,
) {
    refused.extend(requests.iter().filter_map(|request| tests.run(*request).err()));
}

/// System: [`run_tests`] that fails with the first test that is not possible. The tests before it
/// are carried out.
///
/// # Errors
/// A test is not possible.
#[system]
pub fn try_run_tests<S: Stat>(
    mut requests: EventReader<SkillTest<S>>,
    mut tests: Tests<'_, S>,
) -> Result<(), TestRefusal> {
    requests.iter().try_for_each(|request| tests.run(*request))
}

/// The parameters of [`run_tests`] and [`try_run_tests`], apart from the requests and refusals.
#[derive(SystemParam)]
pub struct Tests<'w, S: Stat> {
    sheets: Query<'w, &'static mut Sheet<S>>,
    dice: ResMut<'w, Dice>,
    tested: EventWriter<'w, Tested<S>>,
    grown: EventWriter<'w, Grown<S>>,
}

impl<S: Stat> Tests<'_, S> {
    /// Carries out a request.
    fn run(&mut self, request: SkillTest<S>) -> Result<(), TestRefusal> {
        let result = self.roll(request)?;
        self.tested.send(result);
        let Tested { entity, stat, degree, .. } = result;
        let sheet = self.sheets.get_mut(entity).filter(|_| degree.is_success());
        if let Some(base) = sheet.and_then(|sheet| sheet.practise(stat)) {
            self.grown.send(Grown { entity, stat, base });
        }
        Ok(())
    }

    fn roll(&mut self, request: SkillTest<S>) -> Result<Tested<S>, TestRefusal> {
        let SkillTest { entity, stat, difficulty } = request;
        let refusal = |reason| TestRefusal { entity, stat: stat.name().into(), reason };
        // all values before the dice: a test that is refused rolls none
        let own = self.sheets.get(entity).ok_or_else(|| refusal(TestReason::NoSheet))?.value(stat);
        // in an opposed test the opponent wins a tie
        let (rolled, margin, degree) = match difficulty {
            Difficulty::Fixed(difficulty) => {
                let rolled = S::DICE.roll(&mut self.dice);
                let margin = margin(rolled, own, difficulty.into());
                (rolled, margin, degree::<S>(rolled, None, margin >= 0))
            }
            Difficulty::Opposed { entity, stat } => {
                let opponent = self.sheets.get(entity);
                let opposing =
                    opponent.ok_or_else(|| refusal(TestReason::OpponentWithoutSheet(entity)))?.value(stat);
                let (rolled, other) = (S::DICE.roll(&mut self.dice), S::DICE.roll(&mut self.dice));
                let margin = margin(rolled, own, i64::from(opposing) + i64::from(other));
                (rolled, margin, degree::<S>(rolled, Some(other), margin > 0))
            }
        };
        Ok(Tested { entity, stat, difficulty, rolled, margin, degree })
    }
}

/// `rolled + own - other`, in the range of an `i32`.
fn margin(rolled: u32, own: i32, other: i64) -> i32 {
    let margin = i64::from(rolled) + i64::from(own) - other;
    margin.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

/// The degree of a roll, if an opponent rolled `other` and the sums decide for `wins`.
fn degree<S: Stat>(rolled: u32, other: Option<u32>, wins: bool) -> Degree {
    let success = |rolled| S::DICE.is_critical_success(rolled);
    let failure = |rolled| S::DICE.is_critical_failure(rolled);
    match other {
        Some(other) if success(rolled) && success(other) || failure(rolled) && failure(other) => {}
        _ if success(rolled) => return Degree::CriticalSuccess,
        _ if failure(rolled) => return Degree::CriticalFailure,
        Some(other) if success(other) => return Degree::Failure,
        Some(other) if failure(other) => return Degree::Success,
        _ => {}
    }
    if wins { Degree::Success } else { Degree::Failure }
}
