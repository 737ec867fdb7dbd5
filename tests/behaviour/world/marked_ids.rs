//! Marks of worlds: ids of another world of the same type are refused, and nothing else depends on
//! the marks.

use std::collections::HashSet;

use ecs::entity::{WorldEntity, WorldMark};
use ecs::prelude::*;
use ecs::save::{DanglingIds, Saved};

#[derive(Component, Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
struct Health(u32);

world! {
    #[derive(Clone, serde::Serialize, serde::Deserialize)]
    struct Room { components { Health } }
    schedule tick { hurt }
}

#[system(Room)]
fn hurt(health: &mut Health) {
    health.0 -= 1;
}

#[test]
fn an_id_of_another_room_is_refused() {
    let (mut cave, mut tower) = (Room::new(), Room::new());
    let (bat, owl) = (cave.spawn(Health(5)), tower.spawn(Health(9)));
    assert_eq!(bat, owl, "without marks the ids of two rooms are equal");
    let (bat, owl) = (cave.world_entity(bat), tower.world_entity(owl));
    assert_ne!(bat, owl);
    assert_eq!(
        (cave.resolve(bat), tower.resolve(owl)),
        (Ok(bat.unchecked_entity()), Ok(owl.unchecked_entity()))
    );
    let error = cave.resolve(owl).unwrap_err();
    assert_eq!((error.id, error.mark, error.world), (owl, cave.world_mark(), "Room"));
    assert!(tower.resolve(bat).is_err());
    assert_eq!(HashSet::from([bat, owl, cave.world_entity(bat.unchecked_entity())]).len(), 2);
}

#[test]
fn a_chosen_mark_is_equal_in_every_process_and_an_automatic_one_has_no_number() {
    let mut room = Room::new();
    let hero = room.spawn(Health(1));
    let before = room.world_entity(hero);
    assert_eq!(room.world_mark().number(), None);
    for number in [0, 7, u32::MAX] {
        room.set_world_mark(WorldMark::new(number));
        assert_eq!(room.world_mark().number(), Some(number));
        assert_eq!(room.resolve(WorldEntity::new(WorldMark::new(number), hero)), Ok(hero));
        assert!(room.resolve(before).is_err());
    }
    let error = room.resolve(WorldEntity::new(WorldMark::new(8), hero)).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!(
            "the id {hero} belongs to another world than this world `Room`: its mark is 8, that of this world {}",
            u32::MAX
        )
    );
    assert_eq!(
        format!("{:?} {:?}", WorldMark::new(3), Room::new().world_mark()),
        "WorldMark(3) WorldMark(automatic)"
    );
}

#[test]
fn marks_are_not_in_hashes_saves_and_differences() {
    let (mut one, mut two) = (Room::new(), Room::new());
    for room in [&mut one, &mut two] {
        room.spawn_batch((5..100).map(Health));
        room.tick();
    }
    two.set_world_mark(WorldMark::new(5));
    assert_eq!((one.hash(), one.to_bytes().unwrap()), (two.hash(), two.to_bytes().unwrap()));
    assert_eq!(serde_json::to_string(&one).unwrap(), serde_json::to_string(&two).unwrap());
    assert!(ecs::save::diff(&one, &two).is_empty());
}

#[test]
fn copies_have_marks_of_their_own_and_changed_worlds_keep_theirs() {
    let mut room = Room::new();
    let hero = room.spawn(Health(1));
    let (mark, id) = (room.world_mark(), room.world_entity(hero));
    let bytes = room.to_bytes().unwrap();
    let (clone, loaded) = (room.clone(), Room::load(&bytes).unwrap());
    let read: Room = serde_json::from_str(&serde_json::to_string(&room).unwrap()).unwrap();
    let marks = HashSet::from([
        mark,
        clone.world_mark(),
        loaded.world_mark(),
        read.world_mark(),
        Room::new().world_mark(),
    ]);
    assert_eq!(marks.len(), 5);
    assert!(clone.resolve(id).is_err() && loaded.resolve(id).is_err());

    let snapshot = room.snapshot();
    room.restore(&snapshot);
    assert_eq!(room.world_mark(), mark);
    room.clone_from(&clone);
    assert_eq!(room.world_mark(), mark);
    room.merge(&bytes, DanglingIds::Refuse).unwrap();
    room.clear();
    room.tick();
    assert_eq!((room.world_mark(), room.resolve(id)), (mark, Ok(hero)));
    assert!(!room.contains(hero), "a resolved id may be that of a despawned entity");

    let mut other = Room::new();
    other.restore(&snapshot);
    assert_ne!(other.world_mark(), mark);
}
