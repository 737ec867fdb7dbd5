//! The effects of items: one system for each component of items, which handles the used items with
//! that component.

use ecs::prelude::*;
use ecs_mechanics::equipment::{Equip, EquipmentSlot, Equipped};
use ecs_mechanics::sight::Explored;

use crate::board::Board;
use crate::component::{Blast, Blink, Consumable, Healing, Health, Mapping, Mind, Poisoned, Position, View};
use crate::dice::Dice;
use crate::event::{Cause, Deed, Hurt, Used};
use crate::level::{Level, Terrain};
use crate::point::Point;
use crate::world::Dungeon;

/// Heals, and removes poison.
#[system(Dungeon)]
pub fn quaff(
    mut used: EventReader<Used>,
    potions: Query<&Healing>,
    mut bodies: Query<(&mut Health, Is<Poisoned>)>,
    mut dice: ResMut<Dice>,
    mut commands: Commands<Dungeon>,
    mut deeds: EventWriter<Deed>,
) {
    for &Used { who, item } in &mut used {
        let Some(potion) = potions.get(item) else { continue };
        let Some((health, is_poisoned)) = bodies.get_mut(who) else { continue };
        let points = health.add(dice.throw(potion.amount).into());
        deeds.send(Deed::Healed { who, points });
        if *is_poisoned {
            commands.remove::<Poisoned>(who);
            deeds.send(Deed::Recovered { who });
        }
    }
}

/// Burns every enemy that the reader sees.
#[system(Dungeon)]
pub fn burn(
    mut used: EventReader<Used>,
    scrolls: Query<&Blast>,
    views: Query<&View>,
    enemies: Query<(Entity, &Position), (With<Mind>, With<Health>)>,
    mut dice: ResMut<Dice>,
    mut hurts: EventWriter<Hurt>,
    mut deeds: EventWriter<Deed>,
) {
    for &Used { who, item } in &mut used {
        let (Some(scroll), Some(view)) = (scrolls.get(item), views.get(who)) else { continue };
        deeds.send(Deed::Flames);
        for (victim, _) in enemies.iter().filter(|(_, position)| view.contains(position.0)) {
            hurts.send(Hurt { victim, damage: Some(dice.throw(scroll.damage)), cause: Cause::Fire });
        }
    }
}

/// Remembers every cell of the level that is not rock.
#[system(Dungeon)]
pub fn chart(
    mut used: EventReader<Used>,
    scrolls: Query<Entity, With<Mapping>>,
    level: Res<Level>,
    mut explored: ResMut<Explored>,
    mut deeds: EventWriter<Deed>,
) {
    for _ in used.iter().filter(|used| scrolls.contains(used.item)) {
        for (at, _) in level.0.iter().filter(|(_, terrain)| **terrain != Terrain::Rock) {
            explored.insert(at);
        }
        deeds.send(Deed::Mapped);
    }
}

/// Moves the reader to some free cell in sight.
#[system(Dungeon)]
pub fn blink(
    mut used: EventReader<Used>,
    scrolls: Query<Entity, With<Blink>>,
    mut readers: Query<(&mut Position, &View)>,
    level: Res<Level>,
    mut board: ResMut<Board>,
    mut dice: ResMut<Dice>,
    mut deeds: EventWriter<Deed>,
) {
    for &Used { who, .. } in used.iter().filter(|used| scrolls.contains(used.item)) {
        let Some((position, view)) = readers.get_mut(who) else { continue };
        let is_free =
            |at: &Point| level.is_floor(*at) && board.cell(*at).body.is_none() && view.contains(*at);
        let free: Vec<Point> = level.0.iter().map(|(at, _)| at).filter(is_free).collect();
        if let Some(to) = free.get(dice.below(free.len() as u32) as usize) {
            board.walk(position.0, *to);
            position.0 = *to;
        }
        deeds.send(Deed::Blinked);
    }
}

/// Asks to put a used item into the slot `S` that it fits.
///
/// A generic system: the schedule lists it as `ready::<Hand>` and `ready::<Torso>`, two different
/// systems.
#[system]
pub fn ready<S: EquipmentSlot>(
    mut used: EventReader<Used>,
    fitting: Query<Entity, With<S::Fits>>,
    mut equips: EventWriter<Equip<S>>,
) {
    let fits = used.iter().filter(|used| fitting.contains(used.item));
    equips.extend(fits.map(|used| Equip::new(used.who, used.item)));
}

/// Reports the items in the slot `S`.
#[system]
pub fn equipped<S: EquipmentSlot>(mut equipped: EventReader<Equipped<S>>, mut deeds: EventWriter<Deed>) {
    deeds.extend(equipped.iter().filter_map(|equipped| equipped.item).map(|item| Deed::Equipped { item }));
}

/// Despawns consumable items after their use.
#[system(Dungeon)]
pub fn use_up(
    mut used: EventReader<Used>,
    consumables: Query<Entity, With<Consumable>>,
    mut commands: Commands<Dungeon>,
) {
    for &Used { item, .. } in used.iter().filter(|used| consumables.contains(used.item)) {
        commands.despawn(item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::component::{CarriedBy, Hand, Player, Weapon, Wields};
    use crate::dice::Roll;
    use crate::world::arena;
    use ecs_mechanics::equipment::change_equipment;

    #[test]
    fn one_weapon_is_in_hand_at_a_time_and_none_when_it_is_gone() {
        let mut world = arena(1, 1);
        let who = world.spawn(Player {});
        let weapon = Weapon { aim: 50, damage: Roll::default() };
        let [dagger, sword] = [0, 1].map(|slot| world.spawn((CarriedBy { bearer: who, slot }, weapon)));
        for item in [dagger, sword] {
            world.send(Used { who, item });
            world.run::<ready<Hand>>();
            world.run::<change_equipment<Hand>>();
            assert_eq!(world.target::<Wields>(who), Some(item));
        }
        assert!(world.sources::<Wields>(dagger).is_empty());
        world.despawn(sword).expect("it was there");
        assert!(!world.has::<Wields>(who));
    }
}
