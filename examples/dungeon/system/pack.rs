//! The hero's pack.

use ecs::Sources;
use ecs::prelude::*;

use crate::clock::Clock;
use crate::component::{Blast, Blink, CarriedBy, Healing, Mapping, Player, Portable, Position, Suit, Weapon};
use crate::event::{Deed, Order, Used};
use crate::world::Dungeon;

/// The keys from one to nine.
const SLOTS: std::ops::RangeInclusive<u8> = 1..=9;

/// Moves an item from the floor into the hero's pack: it loses its position and gets a bearer.
///
/// Both changes take effect at once, while the query iterates over the items: no values move in memory when a component is added.
#[system(Dungeon)]
pub fn pick_up(
    mut orders: EventReader<Order>,
    heroes: Query<Entity, With<Player>>,
    items: Query<Entity, With<Portable>>,
    mut places: Storage<Position>,
    mut packs: Storage<CarriedBy>,
    mut clock: ResMut<Clock>,
    mut deeds: EventWriter<Deed>,
) {
    for _ in orders.iter().filter(|order| **order == Order::PickUp) {
        for hero in &heroes {
            let here = places.get(hero).copied();
            let Some(item) = items.iter().find(|item| here.is_some() && places.get(*item).copied() == here)
            else {
                deeds.send(Deed::NothingHere);
                continue;
            };
            let pack = packs.related().sources(hero);
            let is_free =
                |slot: &u8| !pack.iter().filter_map(|item| packs.get(*item)).any(|it| it.slot == *slot);
            let Some(slot) = SLOTS.into_iter().find(is_free) else {
                deeds.send(Deed::PackFull);
                continue;
            };
            places.remove(item);
            packs.insert(item, CarriedBy { who: hero, slot }).expect("both were given by queries");
            clock.spend();
            deeds.send(Deed::PickedUp { item });
        }
    }
}

/// Items with an effect.
type Useful = Or<(With<Healing>, With<Blast>, With<Mapping>, With<Blink>, With<Weapon>, With<Suit>)>;

/// Uses an item of the pack. Its components decide the effect, see [`items`](super::items).
#[system(Dungeon)]
pub fn reach(
    mut orders: EventReader<Order>,
    heroes: Query<(Entity, Sources<CarriedBy>), With<Player>>,
    slots: Query<&CarriedBy>,
    useful: Query<Entity, Useful>,
    mut clock: ResMut<Clock>,
    mut used: EventWriter<Used>,
    mut deeds: EventWriter<Deed>,
) {
    for order in &mut orders {
        let Order::Use(slot) = *order else { continue };
        for (who, pack) in &heroes {
            let is_there = |item: &Entity| slots.get(*item).is_some_and(|it| it.slot == slot);
            match pack.iter().copied().find(is_there) {
                None => deeds.send(Deed::EmptySlot { slot }),
                Some(item) if !useful.contains(item) => deeds.send(Deed::Useless { item }),
                Some(item) => {
                    clock.spend();
                    used.send(Used { who, item });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::Point;
    use crate::world::arena;

    #[test]
    fn items_go_to_the_first_free_slot() {
        let mut world = arena(1, 1);
        let here = Position(Point::new(0, 0));
        let who = world.spawn((Player {}, here));
        world.spawn((Portable {}, CarriedBy { who, slot: 1 }));
        world.spawn((Portable {}, CarriedBy { who, slot: 3 }));
        let item = world.spawn((Portable {}, here));
        world.send(Order::PickUp);
        world.run::<pick_up>();
        assert_eq!(world.get(item), Some(&CarriedBy { who, slot: 2 }));
        assert!(!world.has::<Position>(item));
    }

    #[test]
    fn what_is_carried_goes_with_its_bearer() {
        let mut world = arena(1, 1);
        let who = world.spawn(Player {});
        let item = world.spawn((Portable {}, CarriedBy { who, slot: 1 }));
        world.despawn(who).expect("he was there");
        assert!(!world.contains(item));
    }
}
