//! Blows and arrows, and the harm that comes of them.
//!
//! Everybody strikes at once, but harm is done in order: [`wound`] lets the dead harm nobody.

use ecs::prelude::*;

use crate::clock::Clock;
use crate::component::{
    Armour, Carried, Equipped, Fallen, Health, Melee, Poisoned, Regrowth, Shot, Suit, Venom, Weapon,
};
use crate::dice::Dice;
use crate::event::{Bumped, Cause, Deed, Hurt, Loosed};
use crate::world::Dungeon;

/// Hits, or misses, the living that somebody walked into, with the weapon in hand or the limbs he was born with.
#[system(Dungeon)]
pub fn strike(
    mut bumped: EventReader<Bumped>,
    fighters: Query<&Melee>,
    weapons: Query<(&Weapon, &Carried), With<Equipped>>,
    victims: Query<Entity, With<Health>>,
    mut dice: ResMut<Dice>,
    mut hurts: EventWriter<Hurt>,
    mut deeds: EventWriter<Deed>,
) {
    for &Bumped { who, into: victim } in bumped.iter().filter(|bumped| victims.contains(bumped.into)) {
        let Some(melee) = fighters.get(who) else { continue };
        let weapon = weapons.iter().find(|(_, pack)| pack.by == who).map(|(weapon, _)| weapon);
        let (aim, damage) = weapon.map_or((melee.aim, melee.damage), |weapon| (weapon.aim, weapon.damage));
        if dice.chance(aim) {
            hurts.send(Hurt { victim, damage: dice.throw(damage), cause: Cause::Blow(who) });
        } else {
            deeds.send(Deed::Missed { who, victim, shot: false });
        }
    }
}

/// The same from afar.
#[system(Dungeon)]
pub fn shoot(
    mut loosed: EventReader<Loosed>,
    archers: Query<&Shot>,
    mut dice: ResMut<Dice>,
    mut hurts: EventWriter<Hurt>,
    mut deeds: EventWriter<Deed>,
) {
    for &Loosed { who, at: victim } in &mut loosed {
        let Some(shot) = archers.get(who) else { continue };
        if dice.chance(shot.aim) {
            hurts.send(Hurt { victim, damage: dice.throw(shot.damage), cause: Cause::Shot(who) });
        } else {
            deeds.send(Deed::Missed { who, victim, shot: true });
        }
    }
}

/// Poison works. Runs once for everybody who is poisoned.
#[system(Dungeon)]
pub fn sicken(victim: Entity, poison: &mut Poisoned, mut hurts: EventWriter<Hurt>) {
    poison.turns = poison.turns.saturating_sub(1);
    hurts.send(Hurt { victim, damage: 1, cause: Cause::Poison });
}

/// Wounds close. Runs once for everybody who has not been poisoned, which is a filter.
#[system(Dungeon)]
pub fn mend(health: &mut Health, regrowth: &Regrowth, _: Without<Poisoned>, clock: Res<Clock>) {
    if clock.turn.is_multiple_of(u32::from(regrowth.every)) && health.is_alive() {
        health.lost = (health.lost - 1).max(0);
    }
}

/// Whoever can be hurt.
#[derive(Query)]
pub struct Body<'w> {
    health: &'w mut Health,
    armour: Option<&'w Armour>,
}

/// Does harm, in the order in which it was dealt: who falls first strikes no more.
#[system(Dungeon)]
pub fn wound(
    mut hurts: EventReader<Hurt>,
    mut bodies: Query<Body>,
    suits: Query<(&Suit, &Carried), With<Equipped>>,
    venoms: Query<&Venom>,
    mut poisons: Storage<Poisoned>,
    mut dice: ResMut<Dice>,
    mut deeds: EventWriter<Deed>,
) {
    for &Hurt { victim, damage, cause } in &mut hurts {
        let culprit = cause.culprit();
        let is_dead = |who: Entity, bodies: &mut Query<Body>| bodies.get_mut(who).is_none_or(|body| !body.health.is_alive());
        if is_dead(victim, &mut bodies) || culprit.is_some_and(|who| is_dead(who, &mut bodies)) {
            continue;
        }
        let Some(body) = bodies.get_mut(victim) else { continue };

        let damage = match cause {
            Cause::Blow(_) | Cause::Shot(_) => {
                let worn: u32 =
                    suits.iter().filter(|(_, pack)| pack.by == victim).map(|(suit, _)| u32::from(suit.points)).sum();
                let grown = body.armour.map_or(0, |armour| u32::from(armour.points));
                (damage - dice.below(worn + grown + 1) as i32).max(0)
            }
            Cause::Fire | Cause::Poison => damage,
        };
        body.health.lost += damage;
        deeds.send(Deed::Suffered { victim, damage, cause });

        let venom = culprit.and_then(|who| venoms.get(who)).filter(|_| damage > 0 && body.health.is_alive());
        if let Some(venom) = venom.filter(|venom| dice.chance(venom.chance)) {
            let poisoned = poisons.insert(victim, Poisoned { turns: venom.turns });
            if poisoned.is_ok_and(|before| before.is_none()) {
                deeds.send(Deed::Poisoned { victim });
            }
        }
    }
}

/// Ends poison that has run its course.
#[system(Dungeon)]
pub fn recover(bodies: Query<Entity, With<Health>>, mut poisons: Storage<Poisoned>, mut deeds: EventWriter<Deed>) {
    for who in &bodies {
        if poisons.get(who).is_some_and(|poison| poison.turns == 0) {
            poisons.remove(who);
            deeds.send(Deed::Recovered { who });
        }
    }
}

/// Marks the dead.
#[system(Dungeon)]
pub fn fall(bodies: Query<(Entity, &Health)>, mut fallen: Storage<Fallen>, mut deeds: EventWriter<Deed>) {
    for (who, health) in &bodies {
        if !health.is_alive() && !fallen.contains(who) {
            fallen.insert(who, Fallen).expect("the query gave a living entity");
            deeds.send(Deed::Died { who });
        }
    }
}
