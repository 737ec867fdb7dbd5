//! W44: equipment, with lenient and strict errors.

use ecs::prelude::*;
use ecs_mechanics::equipment::{
    self, Equip, EquipmentReason, EquipmentRefusal, EquipmentSlot, Equipped, Equips, change_equipment,
    settle, try_change_equipment,
};
use ecs_mechanics::inventory::{self, CarriedBy, InUse};

#[derive(Component)]
struct Ring;
#[derive(Component)]
struct Fingers;

/// Two slots for rings: the left one replaces its ring, the right one does not.
enum Left {}
enum Right {}
impl EquipmentSlot for Left {
    const NAME: &'static str = "left finger";
    type Fits = Ring;
    type Wearer = Fingers;
}
impl EquipmentSlot for Right {
    const NAME: &'static str = "right finger";
    const REPLACES: bool = false;
    type Fits = Ring;
    type Wearer = Fingers;
}

#[derive(Resource, Default)]
struct Heard {
    left: Vec<Equipped<Left>>,
    refused: Vec<EquipmentRefusal>,
}

world! {
    struct Court {
        include inventory::inventory;
        include equipment::equipment;
        components { Ring, Fingers, left: Equips<Left>, right: Equips<Right> }
        resources { Heard = Heard::default() }
        events {
            left_request: Equip<Left>(external), left_change: Equipped<Left>,
            right_request: Equip<Right>(external), right_change: Equipped<Right>(external),
        }
    }
    schedule turn { change_equipment::<Left>, change_equipment::<Right>; settle::<Left>, settle::<Right>; listen }
    schedule strict -> Result { try_change_equipment::<Left> }
}

#[system(Court)]
fn listen(
    mut left: EventReader<Equipped<Left>>,
    mut refused: EventReader<EquipmentRefusal>,
    mut heard: ResMut<Heard>,
) {
    heard.left.extend(left.iter().copied());
    heard.refused.extend(refused.iter().cloned());
}

/// A court, somebody with fingers, and three rings of theirs.
fn court() -> (Court, Entity, [Entity; 3]) {
    let mut court = Court::new();
    let entity = court.spawn(Fingers);
    let rings = [0, 1, 2].map(|slot| court.spawn((Ring, CarriedBy { bearer: entity, slot })));
    (court, entity, rings)
}

/// The items in both slots, and the refusals of the turn.
fn turn(court: &mut Court, entity: Entity) -> ([Option<Entity>; 2], Vec<EquipmentReason>) {
    court.turn();
    let refused = std::mem::take(&mut court.resource_mut::<Heard>().refused);
    let slots = [court.target::<Equips<Left>>(entity), court.target::<Equips<Right>>(entity)];
    (slots, refused.iter().map(|refusal| refusal.reason).collect())
}

#[test]
fn w44_an_item_is_put_into_a_slot_that_it_fits_and_taken_out() {
    let (mut court, entity, [ring, other, _]) = court();
    court.send(Equip::<Left>::new(entity, ring));
    assert_eq!(turn(&mut court, entity), ([Some(ring), None], vec![]));
    assert!(court.has::<InUse>(ring) && court.has::<CarriedBy>(ring));
    court.send(Equip::<Left>::new(entity, other));
    court.send(Equip::<Left>::nothing(entity));
    assert_eq!(turn(&mut court, entity), ([None, None], vec![]));
    assert!(!court.has::<InUse>(ring) && !court.has::<InUse>(other));
    let changes: Vec<_> =
        court.resource::<Heard>().left.iter().map(|change| (change.before, change.item)).collect();
    assert_eq!(changes, [(None, Some(ring)), (Some(ring), Some(other)), (Some(other), None)]);
}

#[test]
fn w44_lenient_what_is_not_possible_is_refused_with_its_reason_and_changes_nothing() {
    let (mut court, entity, [ring, other, _]) = court();
    let snake = court.spawn(());
    let foreign = court.spawn((Ring, CarriedBy { bearer: snake, slot: 0 }));
    let apple = court.spawn(CarriedBy { bearer: entity, slot: 7 });
    let floor = court.spawn(Ring);
    court.send(Equip::<Right>::nothing(entity));
    court.send(Equip::<Right>::new(entity, ring));
    court.send(Equip::<Right>::new(entity, other));
    for item in [foreign, floor, apple] {
        court.send(Equip::<Right>::new(entity, item));
    }
    court.send(Equip::<Right>::new(snake, foreign));
    let expected = vec![
        EquipmentReason::Empty,
        EquipmentReason::Occupied(ring),
        EquipmentReason::NotCarried(foreign),
        EquipmentReason::NotCarried(floor),
        EquipmentReason::DoesNotFit(apple),
        EquipmentReason::NoSlot,
    ];
    assert_eq!(turn(&mut court, entity), ([None, Some(ring)], expected));
    court.send(Equip::<Left>::new(entity, ring));
    let both = turn(&mut court, entity);
    assert_eq!(both, ([None, Some(ring)], vec![EquipmentReason::InUse(ring)]), "one ring is on one finger");
}

#[test]
fn w44_strict_the_first_request_that_is_not_possible_is_an_error() {
    let (mut court, entity, [ring, other, _]) = court();
    let floor = court.spawn(Ring);
    for item in [ring, floor, other] {
        court.send(Equip::<Left>::new(entity, item));
    }
    let error = court.strict().unwrap_err().to_string();
    let expected = format!("entity {entity} does not carry item {floor} for the slot `left finger`");
    assert!(error.contains(&expected), "{error}");
    assert_eq!(court.target::<Equips<Left>>(entity), Some(ring));
}

#[test]
fn a_slot_is_empty_when_its_item_is_despawned_or_stolen() {
    let (mut court, entity, [ring, other, third]) = court();
    court.send(Equip::<Left>::new(entity, ring));
    court.send(Equip::<Right>::new(entity, other));
    turn(&mut court, entity);
    court.despawn(ring).unwrap();
    let thief = court.spawn(());
    court.insert(other, CarriedBy { bearer: thief, slot: 0 }).unwrap();
    assert_eq!(turn(&mut court, entity).0, [None, None]);
    assert!(!court.has::<InUse>(other));
    court.insert(entity, Equips::<Left>::new(third)).unwrap();
    turn(&mut court, entity);
    assert!(court.has::<InUse>(third), "an item that other code put into the slot is marked");
}
