//! W57: character sheets with skill tests.

use std::ops::RangeInclusive;
use std::time::Duration;

use ecs::prelude::*;
use ecs_mechanics::clocks::{self, Clock, Frame, Game, Wall};
use ecs_mechanics::equipment::{self, Equip, Equips, Held};
use ecs_mechanics::inventory::{CarriedBy, Inventory, Takeable};
use ecs_mechanics::sheet::{
    self, Before, Bonus, Degree, Dice, Expired, Grown, InvalidBase, Modifier, Sheet, SkillTest, Stat,
    TestDice, TestReason, TestRefusal, Tested, expire_modifiers, try_run_tests, wear,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Trait {
    Strength,
    Climbing,
    Hiding,
    Load,
}

impl Stat for Trait {
    const SHEET: &'static str = "hero";
    const ALL: &'static [Self] = &[Trait::Strength, Trait::Climbing, Trait::Hiding, Trait::Load];

    fn name(self) -> &'static str {
        match self {
            Trait::Strength => "strength",
            Trait::Climbing => "climbing",
            Trait::Hiding => "hiding",
            Trait::Load => "load",
        }
    }

    fn range(self) -> RangeInclusive<i32> {
        match self {
            Trait::Strength => 1..=20,
            Trait::Climbing | Trait::Hiding => 0..=40,
            Trait::Load => 0..=1000,
        }
    }

    fn derived(self) -> Option<fn(Before<'_, Self>) -> i32> {
        (self == Trait::Load).then_some(|sheet| 5 * sheet.value(Trait::Strength))
    }

    fn uses_to_grow(self, base: i32) -> Option<u32> {
        (self == Trait::Climbing).then_some(base as u32 / 10)
    }
}

#[derive(Resource, Default, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Heard {
    tested: Vec<Tested<Trait>>,
    grown: Vec<Grown<Trait>>,
    expired: Vec<Expired<Trait>>,
    refused: Vec<TestRefusal>,
}

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Tower {
        include clocks::clocks;
        include equipment::slot::<Held> as held;
        include sheet::sheet::<Trait>;
        resources { Heard = Heard::default() }
    }
    schedule turn {
        include clocks::advance;
        expire_modifiers::<Trait, Game>;
        include equipment::run_slot::<Held>;
        wear::<Held, Trait>;
        include sheet::skill_tests::<Trait>;
        listen
    }
    schedule strict -> Result { try_run_tests::<Trait> }
}

#[system(Tower)]
fn listen(
    mut tested: EventReader<Tested<Trait>>,
    mut grown: EventReader<Grown<Trait>>,
    mut expired: EventReader<Expired<Trait>>,
    mut refused: EventReader<TestRefusal>,
    mut heard: ResMut<Heard>,
) {
    heard.tested.extend(tested.iter().copied());
    heard.grown.extend(grown.iter().copied());
    heard.expired.extend(expired.iter().cloned());
    heard.refused.extend(refused.iter().cloned());
}

#[test]
fn w57_a_value_is_the_base_with_modifiers_that_are_taken_back_exactly() {
    let mut sheet = Sheet::new().with(Trait::Strength, 19).with(Trait::Climbing, 30);
    sheet.modify(Modifier::new(Trait::Strength, 5, "potion"));
    sheet.modify(Modifier::new(Trait::Strength, -30, "curse"));
    sheet.modify(Modifier::new(Trait::Climbing, 4, "potion"));
    assert_eq!((sheet.base(Trait::Strength), sheet.value(Trait::Strength)), (19, 1), "the range ends at 1");
    assert_eq!(sheet.take_back("curse"), 1);
    assert_eq!(sheet.value(Trait::Strength), 20, "the range ends at 20");
    assert_eq!((sheet.take_back("potion"), sheet.take_back("potion")), (2, 0));
    assert_eq!(sheet, Sheet::new().with(Trait::Strength, 19).with(Trait::Climbing, 30));
}

#[test]
fn w57_a_derived_value_follows_the_values_with_their_modifiers() {
    let mut sheet = Sheet::new().with(Trait::Strength, 10);
    assert_eq!(sheet.value(Trait::Load), 50);
    sheet.modify(Modifier::new(Trait::Strength, 2, "belt"));
    sheet.modify(Modifier::new(Trait::Load, 7, "cart"));
    assert_eq!((sheet.base(Trait::Load), sheet.value(Trait::Load)), (60, 67));
    let derived = InvalidBase::Derived { sheet: "hero", stat: "load" };
    assert_eq!(sheet.try_set_base(Trait::Load, 3), Err(derived));
}

#[test]
fn w57_items_change_values_while_they_are_equipped() {
    let mut tower = Tower::new();
    let hero = tower.spawn((Sheet::<Trait>::new(), Inventory::new(9)));
    let item = |slot| (Takeable, CarriedBy { bearer: hero, slot });
    let gloves = Bonus::new(Trait::Climbing, 5).with(Trait::Strength, 1);
    let [gloves, boots] =
        [tower.spawn((item(0), gloves)), tower.spawn((item(1), Bonus::new(Trait::Climbing, 8)))];
    let mut values = |request: Equip<Held>| {
        tower.send(request);
        tower.turn();
        let sheet = tower.get::<Sheet<Trait>>(hero).unwrap();
        (sheet.value(Trait::Climbing), sheet.value(Trait::Strength))
    };
    assert_eq!(values(Equip::new(hero, gloves)), (5, 2));
    assert_eq!(values(Equip::new(hero, gloves)), (5, 2), "the same item again");
    assert_eq!(values(Equip::new(hero, boots)), (8, 1));
    assert_eq!(values(Equip::nothing(hero)), (0, 1));
}

#[test]
fn w57_a_bonus_ends_when_its_item_is_despawned_or_replaced_by_other_code() {
    let mut tower = Tower::new();
    let hero = tower.spawn((Sheet::<Trait>::new(), Inventory::new(9)));
    let item =
        |slot| (Takeable, CarriedBy { bearer: hero, slot }, Bonus::new(Trait::Climbing, 5 + i32::from(slot)));
    let [gloves, boots, hat] = [0, 1, 2].map(|slot| tower.spawn(item(slot)));
    let climbing = |tower: &mut Tower| {
        tower.turn();
        tower.get::<Sheet<Trait>>(hero).unwrap().value(Trait::Climbing)
    };
    tower.send(Equip::<Held>::new(hero, gloves));
    assert_eq!(climbing(&mut tower), 5);
    tower.despawn(gloves).unwrap();
    assert_eq!(climbing(&mut tower), 0);
    // without a request, as a prefab does it
    tower.insert(hero, Equips::<Held>::new(boots)).unwrap();
    assert_eq!([climbing(&mut tower), climbing(&mut tower)], [6, 6]);
    tower.insert(hero, Equips::<Held>::new(hat)).unwrap();
    assert_eq!(climbing(&mut tower), 7);
    tower.remove::<Equips<Held>>(hero).unwrap();
    assert_eq!(climbing(&mut tower), 0);
}

#[test]
fn w57_a_modifier_ends_with_its_time() {
    let mut tower = Tower::new();
    tower.resource_mut::<Clock<Frame>>().set_max_step(None);
    let clock = tower.resource::<Clock<Game>>();
    let potion = Modifier::new(Trait::Hiding, 6, "potion").lasts(Duration::from_secs(3), clock);
    let hero = tower.spawn(Sheet::<Trait>::new());
    tower.get_mut::<Sheet<Trait>>(hero).unwrap().modify(potion.clone());
    let mut value = |seconds| {
        tower.resource_mut::<Clock<Wall>>().advance(Duration::from_secs(seconds));
        tower.turn();
        tower.get::<Sheet<Trait>>(hero).unwrap().value(Trait::Hiding)
    };
    assert_eq!([value(2), value(1), value(1)], [6, 0, 0]);
    assert_eq!(tower.resource::<Heard>().expired, [Expired { entity: hero, modifier: potion }]);
}

#[test]
fn w57_tests_have_margins_and_criticals_and_their_frequencies_are_those_of_the_dice() {
    let mut tower = Tower::new();
    let hero = tower.spawn(Sheet::new().with(Trait::Hiding, 5));
    for _ in 0..4000 {
        tower.send(SkillTest::new(hero, Trait::Hiding, 16));
    }
    tower.turn();
    let tested = &tower.resource::<Heard>().tested;
    let mut seen = [0; 4];
    for result in tested {
        assert_eq!(result.margin, result.rolled as i32 + 5 - 16);
        let degree = match result.rolled {
            1 => Degree::CriticalFailure,
            2..=10 => Degree::Failure,
            11..=19 => Degree::Success,
            20 => Degree::CriticalSuccess,
            _ => panic!("{result:?}"),
        };
        assert_eq!(result.degree, degree);
        seen[degree as usize] += 1;
    }
    // 4000 rolls with probabilities of 1/20 and 9/20: the bounds are five standard deviations
    assert!((131..270).contains(&seen[0]) && (131..270).contains(&seen[3]), "{seen:?}");
    assert!((1642..1958).contains(&seen[1]) && (1642..1958).contains(&seen[2]), "{seen:?}");
}

#[test]
fn w57_in_an_opposed_test_both_roll_and_the_opponent_wins_a_tie() {
    let mut tower = Tower::new();
    let [thief, guard] = [9, 4].map(|hiding| tower.spawn(Sheet::new().with(Trait::Hiding, hiding)));
    let mut dice = tower.resource::<Dice>().clone();
    for _ in 0..2000 {
        tower.send(SkillTest::opposed(thief, Trait::Hiding, guard, Trait::Hiding));
    }
    tower.turn();
    let mut ties = 0;
    for result in &tower.resource::<Heard>().tested {
        let (own, other) = (dice.roll(20), dice.roll(20));
        let margin = own as i32 + 9 - other as i32 - 4;
        assert_eq!((result.rolled, result.margin), (own, margin));
        let degree = match (own, other) {
            (20, 20) | (1, 1) => Degree::Success,
            (20, _) => Degree::CriticalSuccess,
            (1, _) => Degree::CriticalFailure,
            (_, 20) => Degree::Failure,
            (_, 1) => Degree::Success,
            _ if margin > 0 => Degree::Success,
            _ => Degree::Failure,
        };
        ties += usize::from(margin == 0);
        assert_eq!(result.degree, degree, "{own} against {other}");
    }
    assert!(ties > 0);
}

#[test]
fn w57_a_skill_grows_by_successful_tests_up_to_its_range() {
    let mut tower = Tower::new();
    let hero = tower.spawn(Sheet::new().with(Trait::Climbing, 38));
    let mut results = 0;
    for _ in 0..20 {
        tower.send(SkillTest::new(hero, Trait::Climbing, 30));
        tower.turn();
        results += usize::from(tower.resource::<Heard>().tested.last().unwrap().degree.is_success());
    }
    assert!(results >= 6, "38 and any roll but 1 reach 30");
    let grown: Vec<i32> = tower.resource::<Heard>().grown.iter().map(|grown| grown.base).collect();
    assert_eq!(grown, [39, 40], "each takes three uses, and the range ends at 40");
    assert_eq!(
        tower.get_mut::<Sheet<Trait>>(hero).unwrap().practise(Trait::Hiding),
        None,
        "it does not grow"
    );
}

#[test]
fn w57_lenient_and_strict_a_test_without_a_sheet_is_refused_and_rolls_no_dice() {
    let mut tower = Tower::new();
    let (hero, stone) = (tower.spawn(Sheet::<Trait>::new()), tower.spawn(()));
    let send = |tower: &mut Tower| {
        tower.send(SkillTest::new(stone, Trait::Hiding, 1));
        tower.send(SkillTest::opposed(hero, Trait::Hiding, stone, Trait::Load));
    };
    send(&mut tower);
    let dice = tower.resource::<Dice>().clone();
    tower.turn();
    assert_eq!(*tower.resource::<Dice>(), dice);
    let refused = |entity, reason| TestRefusal { entity, stat: "hiding".into(), reason };
    let expected =
        [refused(stone, TestReason::NoSheet), refused(hero, TestReason::OpponentWithoutSheet(stone))];
    assert_eq!(tower.resource::<Heard>().refused, expected);
    send(&mut tower);
    let error = tower.strict().unwrap_err().to_string();
    assert!(error.contains(&format!("entity {stone} has no sheet for a test of `hiding`")), "{error}");
}

#[test]
fn w57_the_dice_are_saved_cloned_and_rolled_back_with_the_world() {
    let mut tower = Tower::new();
    let hero = tower.spawn(Sheet::new().with(Trait::Climbing, 10));
    let turn = |tower: &mut Tower| {
        tower.send(SkillTest::new(hero, Trait::Climbing, 20));
        tower.turn();
        tower.hash()
    };
    turn(&mut tower);
    let clock = tower.resource::<Clock<Game>>();
    let rain = Modifier::new(Trait::Climbing, -3, "rain").lasts(Duration::from_secs(9), clock);
    tower.get_mut::<Sheet<Trait>>(hero).unwrap().modify(rain);
    let text = serde_json::to_string(&tower).unwrap();
    let snapshot = tower.snapshot();
    let mut others = [
        tower.clone(),
        Tower::load(&tower.to_bytes().unwrap()).unwrap(),
        serde_json::from_str(&text).unwrap(),
    ];
    let hash = turn(&mut tower);
    for other in &mut others {
        assert_eq!(turn(other), hash);
    }
    tower.restore(&snapshot);
    assert_eq!(turn(&mut tower), hash);
}

#[test]
fn w57_an_invalid_sheet_in_a_file_is_an_error_that_names_the_skill() {
    let sheet: Sheet<Trait> = serde_json::from_str(r#"{"base": {"climbing": 12}}"#).unwrap();
    assert_eq!(sheet, Sheet::new().with(Trait::Climbing, 12), "a file leaves values out");
    let error = |text: &str| serde_json::from_str::<Sheet<Trait>>(text).unwrap_err().to_string();
    for (text, message) in [
        (
            r#"{"base": {"climbin": 12}}"#,
            "a hero has no stat `climbin`: its stats are `strength`, `climbing`, `hiding`, `load`",
        ),
        (r#"{"base": {"strength": 21}}"#, "`strength` of a hero is from 1 to 20, and is given 21"),
        (r#"{"base": {"load": 5}}"#, "`load` of a hero is computed from other values: it has no base value"),
        (r#"{"uses": {"swimming": 1}}"#, "a hero has no stat `swimming`"),
        (r#"{"bases": {}}"#, "unknown field `bases`"),
        (
            r#"{"modifiers": [{"stat": "luck", "amount": 1, "source": {"Name": "cat"}}]}"#,
            "a hero has no stat `luck`",
        ),
    ] {
        assert!(error(text).contains(message), "{text}: {}", error(text));
    }
    let mut tower = Tower::new();
    tower.spawn(Sheet::new().with(Trait::Strength, 17));
    let edited = serde_json::to_string(&tower).unwrap().replace(r#""strength":17"#, r#""strength":70"#);
    let error = serde_json::from_str::<Tower>(&edited).err().unwrap().to_string();
    assert!(error.contains("`strength` of a hero is from 1 to 20, and is given 70"), "{error}");
}

#[test]
#[should_panic = "`one` of a circle is computed from `other`, which stands after it in `Stat::ALL`"]
fn a_value_is_never_computed_from_itself() {
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    enum Circle {
        One,
        Other,
    }
    impl Stat for Circle {
        const SHEET: &'static str = "circle";
        const ALL: &'static [Self] = &[Self::One, Self::Other];
        fn name(self) -> &'static str {
            if self == Self::One { "one" } else { "other" }
        }
        fn range(self) -> RangeInclusive<i32> {
            0..=9
        }
        fn derived(self) -> Option<fn(Before<'_, Self>) -> i32> {
            match self {
                Self::One => Some(|sheet| sheet.value(Self::Other)),
                Self::Other => Some(|sheet| sheet.value(Self::One)),
            }
        }
    }
    let _ = Sheet::<Circle>::new().value(Circle::One);
}

#[test]
#[should_panic = "critical failures and critical successes are more than the dice have sums"]
fn rules_have_no_more_criticals_than_sums() {
    let _ = TestDice::new(2, 6).with_criticals(6, 6);
}

#[test]
fn saved_dice_are_checked() {
    let dice = Dice::new(3);
    let text = serde_json::to_string(&dice).unwrap();
    assert_eq!(serde_json::from_str::<Dice>(&text).unwrap(), dice);
    let error = serde_json::from_str::<Dice>("[5, 4]").unwrap_err().to_string();
    assert!(error.contains("the second number of dice is odd, and 4 is not"), "{error}");
}
