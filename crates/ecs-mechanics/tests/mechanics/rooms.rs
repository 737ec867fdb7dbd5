//! W42: rooms, perception, and walking between rooms.

use ecs::prelude::*;
use ecs_mechanics::rooms::{
    self, ChangeRoom, ChangedRoom, InRoom, LeadsTo, Perception, Room, RoomReason, RoomRefusal, connect,
    try_change_room,
};

#[derive(Resource, Default)]
struct Heard {
    changed: Vec<ChangedRoom>,
    refused: Vec<RoomRefusal>,
}

world! {
    struct House {
        include rooms::rooms;
        resources { Heard = Heard::default() }
    }
    schedule turn { include rooms::walk; include rooms::look_around; listen }
    schedule strict -> Result { try_change_room }
}

#[system(House)]
fn listen(
    mut changed: EventReader<ChangedRoom>,
    mut refused: EventReader<RoomRefusal>,
    mut heard: ResMut<Heard>,
) {
    heard.changed.extend(changed.iter().copied());
    heard.refused.extend(refused.iter().copied());
}

/// A house with two connected rooms and one apart.
fn house() -> (House, [Entity; 3]) {
    let mut house = House::new();
    let rooms = [(); 3].map(|()| house.spawn(Room));
    connect(&mut house, rooms[0], rooms[1]).unwrap();
    (house, rooms)
}

/// The entities that are present, those that have arrived, and those that are gone.
fn seen(house: &House, entity: Entity) -> [&[Entity]; 3] {
    let perception = house.get::<Perception>(entity).unwrap();
    [perception.present(), perception.arrived(), perception.gone()]
}

#[test]
fn w42_presences_perceive_who_arrives_who_stays_and_who_is_gone() {
    let (mut house, [hall, cellar, _]) = house();
    let cat = house.spawn((InRoom(hall), Perception::default()));
    let dog = house.spawn((InRoom(hall), Perception::default()));
    house.turn();
    assert_eq!(seen(&house, cat), [&[dog][..], &[dog], &[]]);
    house.turn();
    assert_eq!(seen(&house, cat), [&[dog][..], &[], &[]]);
    let mouse = house.spawn(InRoom(hall));
    house.send(ChangeRoom { entity: dog, to: cellar });
    house.turn();
    assert_eq!(seen(&house, cat), [&[mouse][..], &[mouse], &[dog]]);
    assert_eq!(seen(&house, dog), [&[][..], &[], &[cat]]);
    house.despawn(mouse).unwrap();
    house.turn();
    assert_eq!(seen(&house, cat), [&[][..], &[], &[mouse]]);
    house.despawn(hall).unwrap();
    house.turn();
    assert_eq!(seen(&house, cat), [&[][..]; 3], "it is in no room");
}

#[test]
fn w42_entities_walk_to_adjacent_rooms_only() {
    let (mut house, [hall, cellar, attic]) = house();
    let cat = house.spawn(InRoom(hall));
    let ghost = house.spawn(());
    for (entity, to) in [(cat, attic), (ghost, hall), (cat, cellar), (cat, attic)] {
        house.send(ChangeRoom { entity, to });
    }
    house.turn();
    assert_eq!(house.target::<InRoom>(cat), Some(cellar));
    let heard = house.resource::<Heard>();
    assert_eq!(heard.changed, [ChangedRoom { entity: cat, from: hall, to: cellar }]);
    let refusal = |entity, to, reason| RoomRefusal { entity, to, reason };
    let far = refusal(cat, attic, RoomReason::NotAdjacent);
    assert_eq!(heard.refused, [far, refusal(ghost, hall, RoomReason::NotInARoom), far]);
}

#[test]
fn w42_the_strict_system_fails_with_the_first_refusal() {
    let (mut house, [hall, cellar, attic]) = house();
    let cat = house.spawn(InRoom(hall));
    for to in [cellar, attic, hall] {
        house.send(ChangeRoom { entity: cat, to });
    }
    let error = house.strict().unwrap_err().to_string();
    assert!(error.contains(&format!("the room of entity {cat} does not lead to room {attic}")), "{error}");
    assert_eq!(
        house.target::<InRoom>(cat),
        Some(cellar),
        "the request before it is carried out, that after it is not"
    );
}

#[test]
fn a_door_may_lead_in_one_direction() {
    let (mut house, [hall, _, pit]) = house();
    house.relate(hall, LeadsTo(pit)).unwrap();
    let cat = house.spawn(InRoom(hall));
    for to in [pit, hall] {
        house.send(ChangeRoom { entity: cat, to });
        house.turn();
    }
    assert_eq!(house.target::<InRoom>(cat), Some(pit));
}
