//! Two mages on a stairway: spells that are entities with a cost, a cast time, a cooldown and a
//! range, one of them interrupted.
//!
//! `cargo run -p checked-ecs-mechanics --example tower` plays a fixed list of orders, prints what
//! happens, and checks the end.
#![allow(elided_lifetimes_in_paths, reason = "a program of a user has no such lint")]

use ecs::component::Name;
use ecs::prelude::*;
use ecs_mechanics::casting::{
    self, CastBegun, CastInterrupted, CastRefusal, CastSpell, CastingKind, Side, Spell, SpellCast, Spellbook,
    TargetRule,
};
use ecs_mechanics::meters::{self, Health, Mana, Meter};
use ecs_mechanics::places::Located;
use ecs_mechanics::sight::Cell;
use ecs_mechanics::turns::{self, Clock, TURN, Turn, TurnClock};

/// The step of the stairway.
#[derive(Component, Clone, Copy, PartialEq)]
struct Step(i32);

impl Located for Step {
    type Place = Cell;
    fn place(&self) -> Cell {
        Cell::new(self.0, 0)
    }
}

/// Magic that takes turns and mana.
enum Magic {}

impl CastingKind for Magic {
    const NAME: &'static str = "magic";
    type Cost = Mana;
    type Life = Health;
    type Position = Step;
    type Clock = Turn;
}

/// The effects of spells, which are this game's own.
#[derive(Component)]
struct Harm(u32);
#[derive(Component)]
struct Heal(u32);

world! {
    struct Tower {
        include turns::turns;
        include meters::health;
        include meters::mana;
        include casting::casting::<Magic>;
        components { Name, Step, Harm, Heal }
    }
    schedule turn {
        include turns::begin_order;
        pass;
        include casting::run_casting::<Magic>;
        tell;
        take_effect;
    }
}

#[system(Tower)]
fn pass(mut clock: ResMut<Clock<Turn>>) {
    clock.spend();
}

#[system(Tower)]
fn take_effect(
    mut cast: EventReader<SpellCast<Magic>>,
    spells: Query<(Option<&Harm>, Option<&Heal>)>,
    mut bodies: Query<&mut Meter<Health>>,
) {
    for cast in &mut cast {
        let (Some((harm, heal)), Some(target)) = (spells.get(cast.spell), cast.target) else { continue };
        let Some(health) = bodies.get_mut(target) else { continue };
        health.take(harm.map_or(0, |harm| harm.0));
        health.add(heal.map_or(0, |heal| heal.0));
    }
}

#[system(Tower)]
fn tell(
    names: Query<&Name>,
    mut begun: EventReader<CastBegun<Magic>>,
    mut cast: EventReader<SpellCast<Magic>>,
    mut interrupted: EventReader<CastInterrupted<Magic>>,
    mut refused: EventReader<CastRefusal>,
) {
    let name = |entity| names.get(entity).map_or("something", Name::as_str);
    interrupted.iter().for_each(|one| println!("{} is interrupted: {:?}", name(one.entity), one.reason));
    cast.iter().for_each(|one| println!("{} casts {}", name(one.entity), name(one.spell)));
    begun.iter().for_each(|one| println!("{} begins to cast {}", name(one.entity), name(one.spell)));
    refused.iter().for_each(|refusal| println!("no: {}: {}", name(refusal.entity), refusal.reason));
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut tower = Tower::new();
    let fire = Spell::<Magic>::new(5, TargetRule::Foe).range(3).cast_time(2 * TURN).cooldown(2 * TURN);
    let fire = tower.spawn((Name::new("fire"), fire, Harm(7)));
    let dart = tower.spawn((Name::new("a dart"), Spell::<Magic>::new(1, TargetRule::Foe).range(5), Harm(2)));
    let balm = tower.spawn((Name::new("balm"), Spell::<Magic>::new(2, TargetRule::Caster), Heal(4)));
    let mut mage = |name, side, step| {
        let body = (Meter::<Health>::full(12), Meter::<Mana>::full(9), Step(step), Side(side));
        tower.spawn((Name::new(name), body, Spellbook::<Magic>::new([fire, dart, balm])))
    };
    let [ada, bob] = [mage("Ada", 1, 0), mage("Bob", 2, 4)];

    let orders = [
        vec![CastSpell::<Magic>::at(ada, fire, bob)], // out of range
        vec![CastSpell::at(bob, dart, ada)],
    ];
    for order in orders.into_iter().flatten() {
        tower.send(order);
    }
    tower.turn();
    if let Some(step) = tower.get_mut::<Step>(ada) {
        step.0 = 2;
    }
    tower.send(CastSpell::<Magic>::at(ada, fire, bob));
    tower.turn();
    tower.send(CastSpell::<Magic>::at(bob, dart, ada)); // hurts Ada, who stops
    tower.turn();
    tower.send(CastSpell::<Magic>::at(ada, fire, bob));
    for _ in 0..3 {
        tower.turn();
    }
    tower.send(CastSpell::<Magic>::new(ada, balm));
    tower.send(CastSpell::<Magic>::at(ada, fire, bob)); // it cools down, and mana is short
    tower.turn();

    let of = |mage| Some((tower.get::<Meter<Health>>(mage)?.now(), tower.get::<Meter<Mana>>(mage)?.now()));
    println!(
        "Ada: {:?}, Bob: {:?}, after {} turns",
        of(ada),
        of(bob),
        tower.resource::<Clock<Turn>>().turn()
    );
    assert_eq!(of(ada), Some((12, 2)));
    assert_eq!(of(bob), Some((5, 7)));
    Ok(())
}
