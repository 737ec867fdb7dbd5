//! Blows, arrows and harm.
//!
//! All creatures strike at once, but harm is applied in order: [`wound()`] skips the blows of
//! creatures that have died.

use ecs::prelude::*;

use crate::component::{Armour, Fallen, Health, Melee, Poisoned, Shot, Suit, Venom, Weapon, Wears, Wields};
use crate::dice::Dice;
use crate::event::{Bumped, Cause, Deed, Died, Hurt, Loosed, Wounded};
use crate::world::Dungeon;

/// Hits or misses the creatures that were bumped, with the wielded weapon or the natural attack.
#[system(Dungeon)]
pub fn strike(
    mut bumped: EventReader<Bumped>,
    fighters: Query<(&Melee, Option<&Wields>)>,
    weapons: Query<&Weapon>,
    victims: Query<Entity, With<Health>>,
    mut dice: ResMut<Dice>,
    mut hurts: EventWriter<Hurt>,
) {
    for &Bumped { who, into: victim } in bumped.iter().filter(|bumped| victims.contains(bumped.into)) {
        let Some((melee, wields)) = fighters.get(who) else { continue };
        let weapon = wields.and_then(|wields| weapons.get(wields.item));
        let (aim, damage) = weapon.map_or((melee.aim, melee.damage), |weapon| (weapon.aim, weapon.damage));
        let damage = dice.chance(aim).then(|| dice.throw(damage));
        hurts.send(Hurt { victim, damage, cause: Cause::Blow(who) });
    }
}

/// Hits or misses creatures at a distance.
#[system(Dungeon)]
pub fn shoot(
    mut loosed: EventReader<Loosed>,
    archers: Query<&Shot>,
    mut dice: ResMut<Dice>,
    mut hurts: EventWriter<Hurt>,
) {
    for &Loosed { who, at: victim } in &mut loosed {
        let Some(shot) = archers.get(who) else { continue };
        let damage = dice.chance(shot.aim).then(|| dice.throw(shot.damage));
        hurts.send(Hurt { victim, damage, cause: Cause::Shot(who) });
    }
}

/// Applies poison. Runs once for each poisoned creature.
#[system(Dungeon)]
pub fn sicken(victim: Entity, poison: &mut Poisoned, mut hurts: EventWriter<Hurt>) {
    poison.turns = poison.turns.saturating_sub(1);
    hurts.send(Hurt { victim, damage: Some(1), cause: Cause::Poison });
}

/// A creature that can be hurt.
#[derive(Query)]
pub struct Body<'w> {
    health: &'w mut Health,
    armour: Option<&'w Armour>,
    wears: Option<&'w Wears>,
}

/// Applies harm in the order of the events: the later blows of a creature that has died are
/// skipped.
#[system(Dungeon)]
pub fn wound(
    mut hurts: EventReader<Hurt>,
    mut bodies: Query<Body>,
    suits: Query<&Suit>,
    mut dice: ResMut<Dice>,
    mut wounded: EventWriter<Wounded>,
    mut died: EventWriter<Died>,
    mut deeds: EventWriter<Deed>,
) {
    for &Hurt { victim, damage, cause } in &mut hurts {
        let culprit = cause.culprit();
        let mut is_alive = |who| bodies.get_mut(who).is_some_and(|body| !body.health.is_empty());
        if !is_alive(victim) || culprit.is_some_and(|who| !is_alive(who)) {
            continue;
        }
        let Some(mut damage) = damage else {
            deeds.send(Deed::Missed { victim, cause });
            continue;
        };
        let Some(body) = bodies.get_mut(victim) else { continue };

        // armour protects against creatures, not against fire or poison
        if culprit.is_some() {
            let suit = body.wears.and_then(|wears| suits.get(wears.item)).map(|suit| suit.points);
            let skin = body.armour.map(|armour| armour.points);
            let points: u32 = suit.into_iter().chain(skin).map(u32::from).sum();
            damage = damage.saturating_sub(dice.below(points + 1) as u16);
        }
        body.health.take(damage.into());
        deeds.send(Deed::Suffered { victim, damage, cause });
        if body.health.is_empty() {
            died.send(Died { who: victim });
        } else if let Some(by) = culprit.filter(|_| damage > 0) {
            wounded.send(Wounded { victim, by });
        }
    }
}

/// Poisons creatures that a venomous creature has wounded.
#[system(Dungeon)]
pub fn infect(
    mut wounded: EventReader<Wounded>,
    venoms: Query<&Venom>,
    mut dice: ResMut<Dice>,
    mut commands: Commands<Dungeon>,
    mut deeds: EventWriter<Deed>,
) {
    for &Wounded { victim, by } in &mut wounded {
        let Some(venom) = venoms.get(by) else { continue };
        if dice.chance(venom.chance) {
            // `has` includes these commands, so that the second of two bites does nothing
            if !commands.has::<Poisoned>(victim) {
                deeds.send(Deed::Poisoned { victim });
            }
            commands.insert(victim, Poisoned { turns: venom.turns });
        }
    }
}

/// Removes poison that has no points left.
#[system(Dungeon)]
pub fn recover(
    who: Entity,
    poison: &Poisoned,
    _: Without<Fallen>,
    mut commands: Commands<Dungeon>,
    mut deeds: EventWriter<Deed>,
) {
    if poison.turns == 0 {
        commands.remove::<Poisoned>(who);
        deeds.send(Deed::Recovered { who });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::arena;

    const HALE: Health = Health::full(3);

    #[test]
    fn dead_creatures_do_no_harm() {
        let mut world = arena(1, 1);
        let [quick, slow] = [world.spawn(HALE), world.spawn(HALE)];
        world.send(Hurt { victim: slow, damage: Some(9), cause: Cause::Blow(quick) });
        world.send(Hurt { victim: quick, damage: Some(9), cause: Cause::Blow(slow) });
        world.run::<wound>();
        assert_eq!(world.get(quick), Some(&HALE));
        assert_eq!(world.get(slow), Some(&Health::new(0, 3)));
    }

    #[test]
    fn armour_takes_harm_away_and_never_gives_health() {
        let mut world = arena(1, 1);
        let culprit = world.spawn(HALE);
        let victim = world.spawn((HALE, Armour { points: 200 }));
        for _ in 0..20 {
            world.send(Hurt { victim, damage: Some(1), cause: Cause::Blow(culprit) });
        }
        world.run::<wound>();
        let lost = world.get::<Health>(victim).map(|health| health.missing());
        assert!(lost.is_some_and(|lost| (0..=3).contains(&lost)), "{lost:?}");
    }

    #[test]
    fn poison_ends_and_is_reported() {
        let mut world = arena(1, 1);
        let ill = world.spawn((HALE, Poisoned { turns: 1 }));
        world.run::<sicken>();
        world.run::<recover>();
        assert!(!world.has::<Poisoned>(ill));
        assert!(world.drain::<Deed>().any(|deed| matches!(deed, Deed::Recovered { who } if who == ill)));
    }
}
