//! W43: inventories, with lenient and strict errors.

use ecs::prelude::*;
use ecs_mechanics::inventory::{
    self, CarriedBy, Discard, Discarded, InUse, Inventory, InventoryReason, InventoryRefusal, Stack, Take,
    Takeable, Taken, Weight, carry_out, free_slot, item_in, try_carry_out,
};
use ecs_mechanics::places::Located;
use ecs_mechanics::rooms::{self, InRoom, Room};
use ecs_mechanics::sight::Cell;

#[derive(Resource, Default)]
struct Heard {
    taken: Vec<Taken>,
    discarded: Vec<Discarded>,
    refused: Vec<InventoryRefusal>,
}

// the place of this world is a room
world! {
    struct House {
        include rooms::rooms;
        include inventory::inventory;
        resources { Heard = Heard::default() }
    }
    schedule turn { carry_out::<InRoom>; include inventory::sweep; listen }
    schedule strict -> Result { try_carry_out::<InRoom> }
    schedule walk { include rooms::walk }
}

#[system(House)]
fn listen(
    mut taken: EventReader<Taken>,
    mut discarded: EventReader<Discarded>,
    mut refused: EventReader<InventoryRefusal>,
    mut heard: ResMut<Heard>,
) {
    heard.taken.extend(taken.iter().copied());
    heard.discarded.extend(discarded.iter().copied());
    heard.refused.extend(refused.iter().copied());
}

/// A house, a room in it, and a hero in the room with this inventory.
fn house(inventory: Inventory) -> (House, Entity, Entity) {
    let mut house = House::new();
    let room = house.spawn(Room);
    let entity = house.spawn((InRoom(room), inventory));
    (house, room, entity)
}

/// Asks for these items, and returns the reasons of the refusals.
fn take(house: &mut House, entity: Entity, items: &[Entity]) -> Vec<InventoryReason> {
    for &item in items {
        house.send(Take { entity, item });
    }
    reasons(house)
}

fn discard(house: &mut House, entity: Entity, items: &[Entity]) -> Vec<InventoryReason> {
    for &item in items {
        house.send(Discard { entity, item });
    }
    reasons(house)
}

fn reasons(house: &mut House) -> Vec<InventoryReason> {
    house.turn();
    let refused = std::mem::take(&mut house.resource_mut::<Heard>().refused);
    refused.iter().map(|refusal| refusal.reason).collect()
}

#[test]
fn w43_an_item_is_taken_from_the_room_and_discarded_into_it() {
    let (mut house, room, entity) = house(Inventory::new(9));
    let item = house.spawn((Takeable, InRoom(room)));
    assert_eq!(take(&mut house, entity, &[item]), []);
    assert_eq!(
        (house.get::<CarriedBy>(item), house.has::<InRoom>(item)),
        (Some(&CarriedBy { bearer: entity, slot: 0 }), false)
    );
    assert_eq!(discard(&mut house, entity, &[item]), []);
    assert_eq!((house.has::<CarriedBy>(item), house.target::<InRoom>(item)), (false, Some(room)));
    let heard = house.resource::<Heard>();
    assert_eq!(
        (&heard.taken[..], &heard.discarded[..]),
        (&[Taken { entity, item, slot: 0 }][..], &[Discarded { entity, item }][..])
    );
}

#[test]
fn w43_lenient_what_is_not_possible_is_refused_with_its_reason_and_changes_nothing() {
    let (mut house, room, entity) = house(Inventory::new(9));
    let elsewhere = house.spawn(Room);
    let item = house.spawn((Takeable, InRoom(room)));
    let [far, lost] = [house.spawn((Takeable, InRoom(elsewhere))), house.spawn(Takeable)];
    let statue = house.spawn(InRoom(room));
    let [nobody, nowhere] = [house.spawn(InRoom(room)), house.spawn(Inventory::new(9))];
    let dead = house.spawn(());
    house.despawn(dead).unwrap();
    let before = house.stats().entities;

    let items = [far, lost, dead, statue, entity];
    let expected = [
        InventoryReason::NotHere,
        InventoryReason::NotHere,
        InventoryReason::NotHere,
        InventoryReason::NotTakeable,
        InventoryReason::NotTakeable,
    ];
    assert_eq!(take(&mut house, entity, &items), expected);
    assert_eq!(take(&mut house, nobody, &[item]), [InventoryReason::NoInventory]);
    assert_eq!(take(&mut house, nowhere, &[item]), [InventoryReason::Nowhere]);
    assert_eq!(discard(&mut house, entity, &[item, dead]), [InventoryReason::NotCarried; 2]);
    assert_eq!(discard(&mut house, nobody, &[item]), [InventoryReason::NoInventory]);
    assert!(house.sources::<CarriedBy>(entity).is_empty() && house.stats().entities == before);

    take(&mut house, entity, &[item]);
    house.insert(item, InUse).unwrap();
    assert_eq!(discard(&mut house, entity, &[item]), [InventoryReason::InUse]);
    house.remove::<(InUse, Takeable)>(item).unwrap();
    assert_eq!(discard(&mut house, entity, &[item]), [InventoryReason::NotTakeable], "a cursed item stays");
    house.insert(item, Takeable).unwrap();
    house.remove::<InRoom>(entity).unwrap();
    assert_eq!(discard(&mut house, entity, &[item]), [InventoryReason::Nowhere]);
    assert_eq!(house.sources::<CarriedBy>(entity), [item]);
}

#[test]
fn w43_strict_the_first_request_that_is_not_possible_is_an_error() {
    let (mut house, room, entity) = house(Inventory::new(9));
    let [first, last] = [(); 2].map(|()| house.spawn((Takeable, InRoom(room))));
    let statue = house.spawn(InRoom(room));
    for item in [first, statue, last] {
        house.send(Take { entity, item });
    }
    let error = house.strict().unwrap_err().to_string();
    assert!(error.contains(&format!("item {statue} is not `Takeable` for entity {entity}")), "{error}");
    assert_eq!(house.sources::<CarriedBy>(entity), [first]);
}

#[test]
fn w43_of_two_that_ask_for_one_item_the_first_has_it() {
    let (mut house, room, one) = house(Inventory::new(9));
    let other = house.spawn((InRoom(room), Inventory::new(9)));
    let item = house.spawn((Takeable, InRoom(room)));
    house.send(Take { entity: other, item });
    assert_eq!(take(&mut house, one, &[item]), [InventoryReason::NotHere]);
    assert_eq!(house.target::<CarriedBy>(item), Some(other));
}

#[test]
fn items_go_to_the_first_free_slot_until_all_are_taken() {
    let (mut house, room, entity) = house(Inventory::new(3));
    let items = [(); 4].map(|()| house.spawn((Takeable, InRoom(room))));
    assert_eq!(take(&mut house, entity, &items), [InventoryReason::NoFreeSlot]);
    discard(&mut house, entity, &items[1..2]);
    assert_eq!(free_slot(house.related(), entity, 3), Some(1));
    assert_eq!(take(&mut house, entity, &items[3..]), []);
    assert_eq!(
        [0, 1, 2, 3].map(|slot| item_in(house.related(), entity, slot)),
        [Some(items[0]), Some(items[3]), Some(items[2]), None]
    );
    assert_eq!(free_slot(house.related(), entity, 3), None);
}

#[test]
fn items_and_stacks_have_weight() {
    let (mut house, room, entity) = house(Inventory::new(9).with_max_weight(100));
    let sack = house.spawn((Takeable, InRoom(room), Weight(60)));
    let coins = Stack { kind: 1, count: 21, max: 99 };
    let coins = house.spawn((Takeable, InRoom(room), Weight(2), coins));
    let feather = house.spawn((Takeable, InRoom(room)));
    let refused = take(&mut house, entity, &[sack, coins, feather]);
    assert_eq!(refused, [InventoryReason::TooHeavy { weight: 42, left: 40 }]);
    house.get_mut::<Stack>(coins).unwrap().count = 20;
    assert_eq!(take(&mut house, entity, &[coins]), []);
}

#[test]
fn stacks_of_one_kind_become_one_as_far_as_there_is_room() {
    let (mut house, room, entity) = house(Inventory::new(2));
    let stack = |kind, count| (Takeable, InRoom(room), Stack { kind, count, max: 10 });
    let [first, second, third, fourth] =
        [stack(1, 8), stack(1, 5), stack(2, 1), stack(1, 7)].map(|stack| house.spawn(stack));
    assert_eq!(take(&mut house, entity, &[first, second]), []);
    let count = |house: &House, stack| house.get::<Stack>(stack).map(|stack| stack.count);
    assert_eq!(
        [first, second].map(|stack| count(&house, stack)),
        [Some(10), Some(3)],
        "the rest has a slot of its own"
    );
    assert_eq!(take(&mut house, entity, &[third]), [InventoryReason::NoFreeSlot], "of another kind");
    assert_eq!(take(&mut house, entity, &[fourth]), [], "no slot is free, and there is room for all");
    assert_eq!((count(&house, second), house.contains(fourth)), (Some(10), false));
    assert_eq!(house.resource::<Heard>().taken.last(), Some(&Taken { entity, item: second, slot: 1 }));
    let fifth = house.spawn(stack(1, 1));
    assert_eq!(take(&mut house, entity, &[fifth]), [InventoryReason::NoFreeSlot]);
    assert_eq!((count(&house, fifth), house.target::<InRoom>(fifth)), (Some(1), Some(room)));
    // the event names the stack that has got the items, not another one with room
    house.get_mut::<Stack>(first).unwrap().count = 4;
    house.get_mut::<Stack>(second).unwrap().count = 4;
    assert_eq!(take(&mut house, entity, &[fifth]), []);
    assert_eq!([first, second].map(|stack| count(&house, stack)), [Some(5), Some(4)]);
    assert_eq!(house.resource::<Heard>().taken.last(), Some(&Taken { entity, item: first, slot: 0 }));
}

#[test]
fn what_is_carried_goes_with_its_bearer() {
    let (mut house, room, entity) = house(Inventory::new(2));
    let item = house.spawn((Takeable, InRoom(room)));
    take(&mut house, entity, &[item]);
    house.despawn(entity).unwrap();
    assert!(!house.contains(item));
}

#[test]
fn an_empty_stack_in_an_empty_stack_is_no_failed_command() {
    let mut house = House::new();
    let stack = Stack { kind: 1, count: 0, max: 10 };
    let quiver = house.spawn(stack);
    let arrows = house.spawn((stack, CarriedBy { bearer: quiver, slot: 0 }));
    house.turn();
    assert!(!house.contains(quiver) && !house.contains(arrows));
    assert_eq!(house.stats().failed_commands, 0);
}

#[test]
fn a_stack_that_is_carried_already_does_not_go_into_itself() {
    let (mut house, room, entity) = house(Inventory::new(3));
    // other code has put it down, and not taken it from its bearer
    let arrows =
        (InRoom(room), Takeable, Stack { kind: 1, count: 5, max: 50 }, CarriedBy { bearer: entity, slot: 0 });
    let arrows = house.spawn(arrows);
    assert!(take(&mut house, entity, &[arrows]).is_empty());
    assert_eq!(house.get::<Stack>(arrows).map(|stack| stack.count), Some(5));
}

#[test]
fn an_item_that_carries_the_entity_is_refused() {
    let (mut house, room, hero) = house(Inventory::new(3));
    let box_ = house.spawn((InRoom(room), Takeable));
    let bag = house.spawn((InRoom(room), Takeable, Inventory::new(3), CarriedBy { bearer: box_, slot: 0 }));
    // the bag has a place although it is carried: a prefab may say so
    assert_eq!(take(&mut house, bag, &[box_]), [InventoryReason::CarriesBearer]);
    assert!(house.has::<InRoom>(box_) && house.sources::<CarriedBy>(bag).is_empty());
    let refusal = InventoryRefusal { entity: bag, item: box_, reason: InventoryReason::CarriesBearer };
    assert_eq!(refusal.to_string(), format!("item {box_} carries entity {bag}, which cannot take it"));
    assert!(house.insert(box_, CarriedBy { bearer: bag, slot: 0 }).is_err(), "the relation has no cycles");
    assert_eq!(take(&mut house, hero, &[box_]), []);
}

#[derive(Component, Clone)]
struct Spot(Cell);

impl Located for Spot {
    type Place = Cell;

    fn place(&self) -> Cell {
        self.0
    }
}

world! {
    struct Field {
        include inventory::inventory { InventoryRefusal(external) };
        components { Spot }
    }
    schedule turn { carry_out::<Spot> }
}

#[test]
fn an_entity_takes_items_up_to_its_reach() {
    let mut field = Field::new();
    let at = |x| Spot(Cell::new(x, 0));
    let items = [0, 1, 2].map(|x| field.spawn((at(x), Takeable)));
    for (reach, taken) in [(0, 1), (1, 2), (2, 3)] {
        let hero = field.spawn((at(0), Inventory::new(3).with_reach(reach)));
        let mut copy = items.map(|item| field.get::<Spot>(item).cloned());
        for item in items {
            field.send(Take { entity: hero, item });
        }
        field.turn();
        assert_eq!(field.sources::<CarriedBy>(hero), &items[..taken]);
        assert_eq!(field.drain::<InventoryRefusal>().count(), 3 - taken);
        // back to where they lay
        for (item, spot) in items.into_iter().zip(&mut copy) {
            let _ = field.remove::<CarriedBy>(item);
            field.insert(item, spot.take().unwrap()).unwrap();
        }
    }
}
