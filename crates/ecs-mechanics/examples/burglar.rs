//! A burglar climbs a wall, passes a guard and opens a lock: skill tests with equipment, a potion,
//! an opponent and growth by use.
//!
//! `cargo run -p checked-ecs-mechanics --example burglar` plays a night of fixed dice, prints it,
//! and checks that a second night is the same.
#![allow(elided_lifetimes_in_paths, reason = "a program of a user has no such lint")]

use std::ops::RangeInclusive;

use ecs::component::Name;
use ecs::prelude::*;
use ecs_mechanics::equipment::{self, Equip, Held};
use ecs_mechanics::inventory::{CarriedBy, Inventory, Takeable};
use ecs_mechanics::sheet::{
    self, Bonus, Dice, Expired, Grown, Modifier, Sheet, SkillTest, Stat, TestRefusal, Tested,
    expire_modifiers, wear,
};
use ecs_mechanics::turns::{self, Clock, TURN, Turn, TurnClock};
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Skill {
    Climbing,
    Sneaking,
    Locks,
    Attention,
}

impl Stat for Skill {
    const SHEET: &'static str = "person";
    const ALL: &'static [Self] = &[Skill::Climbing, Skill::Sneaking, Skill::Locks, Skill::Attention];

    fn name(self) -> &'static str {
        match self {
            Skill::Climbing => "climbing",
            Skill::Sneaking => "sneaking",
            Skill::Locks => "locks",
            Skill::Attention => "attention",
        }
    }

    fn range(self) -> RangeInclusive<i32> {
        0..=20
    }

    fn uses_to_grow(self, base: i32) -> Option<u32> {
        (base < 10).then_some(2)
    }
}

world! {
    #[derive(Serialize, Deserialize)]
    struct Night {
        include turns::turns;
        include equipment::slot::<Held> as held;
        include sheet::sheet::<Skill>;
        components { Name }
    }
    schedule hour {
        include turns::begin_order;
        pass;
        expire_modifiers::<Skill, Turn>;
        include equipment::run_slot::<Held>;
        wear::<Held, Skill>;
        include sheet::skill_tests::<Skill>;
        tell;
    }
}

#[system(Night)]
fn pass(mut clock: ResMut<Clock<Turn>>) {
    clock.spend();
}

#[system(Night)]
fn tell(
    names: Query<&Name>,
    mut expired: EventReader<Expired<Skill>>,
    mut tested: EventReader<Tested<Skill>>,
    mut grown: EventReader<Grown<Skill>>,
    mut refused: EventReader<TestRefusal>,
) {
    let name = |entity| names.get(entity).map_or("somebody", Name::as_str);
    for Expired { entity, modifier } in &mut expired {
        println!("the {} of {} no longer works", modifier.source, name(*entity));
    }
    for Tested { entity, stat, rolled, margin, degree, .. } in &mut tested {
        println!("{} rolls {rolled} for {}: {degree:?} by {margin}", name(*entity), stat.name());
    }
    for Grown { entity, stat, base } in &mut grown {
        println!("{} has {base} in {} now", name(*entity), stat.name());
    }
    refused.iter().for_each(|refusal| println!("no: {refusal}"));
}

/// Plays a night. Returns the hash of its end.
fn play() -> u64 {
    let mut night = Night::new();
    *night.resource_mut::<Dice>() = Dice::new(12);
    let skills = Sheet::new().with(Skill::Climbing, 6).with(Skill::Sneaking, 4).with(Skill::Locks, 3);
    let bess = night.spawn((Name::new("Bess"), skills, Inventory::new(4)));
    let guard = night.spawn((Name::new("the guard"), Sheet::new().with(Skill::Attention, 5)));
    let claws = (
        Takeable,
        Bonus::new(Skill::Climbing, 4).with(Skill::Locks, -2),
        CarriedBy { bearer: bess, slot: 0 },
    );
    let claws = night.spawn((Name::new("claws"), claws));

    night.send(Equip::<Held>::new(bess, claws));
    night.send(SkillTest::new(bess, Skill::Climbing, 15));
    night.hour();

    let potion = Modifier::new(Skill::Sneaking, 6, "potion").lasts(3 * TURN, night.resource::<Clock<Turn>>());
    if let Some(sheet) = night.get_mut::<Sheet<Skill>>(bess) {
        sheet.modify(potion);
    }
    for _ in 0..3 {
        night.send(SkillTest::opposed(bess, Skill::Sneaking, guard, Skill::Attention));
        night.hour();
    }
    night.send(Equip::<Held>::nothing(bess));
    night.send(SkillTest::new(bess, Skill::Locks, 12));
    night.send(SkillTest::new(claws, Skill::Locks, 12));
    night.hour();
    night.hash()
}

fn main() {
    let hash = play();
    println!("and again, with the same dice:");
    assert_eq!(play(), hash);
}
