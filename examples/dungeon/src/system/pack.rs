//! The hero's pack.

use ecs::Related;
use ecs::prelude::*;
use ecs_mechanics::inventory::{InventoryRefusal, Take, Taken, item_in};
use ecs_mechanics::turns::{Clock, Turn, TurnClock};

use crate::component::{Blast, Blink, CarriedBy, Healing, Mapping, Player, Position, Suit, Takeable, Weapon};
use crate::event::{Deed, Order, Used};
use crate::world::Dungeon;

/// Asks for an item at the hero's feet.
#[system(Dungeon)]
pub fn pick_up(
    mut orders: EventReader<Order>,
    heroes: Query<(Entity, &Position), With<Player>>,
    items: Query<(Entity, &Position), With<Takeable>>,
    mut takes: EventWriter<Take>,
    mut deeds: EventWriter<Deed>,
) {
    for _ in orders.iter().filter(|order| **order == Order::PickUp) {
        for (who, here) in &heroes {
            match items.iter().find(|(_, at)| *at == here) {
                Some((item, _)) => takes.send(Take { entity: who, item }),
                None => deeds.send(Deed::NothingHere),
            }
        }
    }
}

/// Reports the item that the hero has taken, which takes time, or that the pack is full.
#[system(Dungeon)]
pub fn stow(
    mut taken: EventReader<Taken>,
    mut refused: EventReader<InventoryRefusal>,
    mut clock: ResMut<Clock<Turn>>,
    mut deeds: EventWriter<Deed>,
) {
    for &Taken { item, .. } in &mut taken {
        clock.spend();
        deeds.send(Deed::PickedUp { item });
    }
    deeds.extend(refused.iter().map(|_| Deed::PackFull));
}

/// Items with an effect.
type Useful = Or<(With<Healing>, With<Blast>, With<Mapping>, With<Blink>, With<Weapon>, With<Suit>)>;

/// Uses an item of the pack. Its components decide the effect, see [`items`](super::items).
#[system(Dungeon)]
pub fn reach(
    mut orders: EventReader<Order>,
    heroes: Query<Entity, With<Player>>,
    packs: Related<CarriedBy>,
    useful: Query<Entity, Useful>,
    mut clock: ResMut<Clock<Turn>>,
    mut used: EventWriter<Used>,
    mut deeds: EventWriter<Deed>,
) {
    for order in &mut orders {
        let Order::Use(slot) = *order else { continue };
        for who in &heroes {
            match item_in(packs, who, slot) {
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
    use crate::component::Inventory;
    use crate::journal::Journal;
    use crate::point::Point;
    use crate::world::arena;

    #[test]
    fn items_are_picked_up_until_the_pack_is_full() {
        let mut world = arena(1, 1);
        let here = Position(Point::new(0, 0));
        let who = world.spawn((Player {}, here, Inventory::new(1)));
        let items = [(); 2].map(|()| world.spawn((Takeable, here)));
        let mut pick_up = || {
            world.send(Order::PickUp);
            world.turn();
            (world.sources::<CarriedBy>(who).to_vec(), world.resource::<Clock<Turn>>().turn())
        };
        assert_eq!(pick_up(), (vec![items[0]], 1));
        assert_eq!(pick_up(), (vec![items[0]], 1), "to find no room takes no time");
        let told = world.resource::<Journal>().entries();
        assert!(told.iter().any(|entry| entry.text == "Your pack is full."), "{told:?}");
    }
}
