//! Entities with ids that are chosen from outside, ranges of ids that are kept for them, and room
//! that is reserved.

use ecs::error::{IdConflict, Reason, ReserveIdsError, SpawnAtError};
use ecs::prelude::*;
use ecs::save::Saved;
use serde::{Deserialize, Serialize};

#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Health(u32);
#[derive(Component, Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
struct Armor(u32);
#[derive(Component, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[component(requires(Armor))]
struct Knight;
#[derive(Component, Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[component(key)]
struct Badge(u32);

world! {
    #[derive(Clone, Serialize, Deserialize)]
    struct Game { components { Health, Armor, Knight, Badge, ChildOf } }
    schedule tick { spawns }
}

#[system(Game)]
fn spawns(mut commands: Commands<Game>) {
    commands.spawn_batch((0..100).map(Health)).for_each(drop);
}

fn conflict(error: SpawnAtError) -> IdConflict {
    match error {
        SpawnAtError::Conflict { conflict, .. } => conflict,
        other => panic!("{other}"),
    }
}

fn later(entity: Entity, by: u64) -> Entity {
    Entity::from_bits(entity.to_bits() + (by << 32)).unwrap()
}

/// An id that no world has used, in this slot.
fn unused(slot: u64) -> Entity {
    let used = Game::new().spawn(());
    Entity::from_bits(later(used, 9).to_bits() - u64::from(used.slot()) + slot).unwrap()
}

#[test]
fn an_entity_gets_the_chosen_id_and_required_components() {
    let (mut server, mut client) = (Game::new(), Game::new());
    let ids: Vec<Entity> = server.spawn_batch((0..300).map(Health)).collect();
    for &id in ids.iter().rev().step_by(2) {
        client.spawn_at(id, (Health(id.slot()), Knight)).unwrap();
    }
    assert_eq!(client.query::<(&Health, &Armor, &Knight)>().iter().count(), 150);
    assert!(ids.iter().rev().step_by(2).all(|&id| client.get(id) == Some(&Health(id.slot()))));
    let local: Vec<Entity> = client.spawn_batch((0..300).map(Health)).collect();
    assert!(local.iter().all(|id| !ids.iter().rev().step_by(2).any(|chosen| chosen.slot() == id.slot())));
}

#[test]
fn an_id_that_was_used_or_whose_slot_is_taken_is_refused() {
    let mut game = Game::new();
    let first = game.spawn(Health(1));
    assert_eq!(conflict(game.spawn_at(first, ()).unwrap_err()), IdConflict::Occupied(first));
    let error = game.spawn_at(later(first, 1), Health(2)).unwrap_err();
    assert_eq!(conflict(error), IdConflict::Occupied(first));
    game.despawn(first).unwrap();
    assert_eq!(conflict(game.spawn_at(first, ()).unwrap_err()), IdConflict::Used);
    game.spawn_at(later(first, 5), Health(3)).unwrap();
    game.despawn(later(first, 5)).unwrap();
    assert_eq!(conflict(game.spawn_at(later(first, 4), ()).unwrap_err()), IdConflict::Used);
    let next = game.spawn(Health(4));
    assert_eq!((next.slot(), next), (first.slot(), later(first, 6)));
    let beyond = Entity::from_bits(first.to_bits() | u64::from(u32::MAX)).unwrap();
    assert_eq!(conflict(game.spawn_at(beyond, ()).unwrap_err()), IdConflict::NoSuchSlot);
}

#[test]
fn a_rule_refuses_a_component_and_the_id_stays_free() {
    let mut game = Game::new();
    let guard = game.spawn(Badge(1));
    let id = later(game.spawn(()), 0);
    game.despawn(id).unwrap();
    let id = later(id, 1);
    match game.spawn_at(id, Badge(1)).unwrap_err() {
        SpawnAtError::Refused(refused) => assert_eq!(refused.reason, Reason::Duplicate(guard)),
        other => panic!("{other}"),
    }
    assert!(!game.contains(id));
    game.spawn_at(id, Badge(2)).unwrap();
}

#[test]
fn slots_that_commands_have_reserved_are_refused_unless_the_range_was_kept() {
    let mut game = Game::new();
    game.tick();
    let spawned = game.entities().iter().last().unwrap();
    let beside = Entity::from_bits(spawned.to_bits() + 1).unwrap();
    let error = game.spawn_at(beside, ()).unwrap_err();
    assert_eq!(conflict(error), IdConflict::ReservedByCommands);
    assert!(error.to_string().contains("reserve_ids"), "{error}");

    let mut game = Game::new();
    game.reserve_ids(0..1000).unwrap();
    (0..5).for_each(|_| game.tick());
    assert!(game.entities().iter().all(|entity| entity.slot() >= 1024) && game.entities().len() == 500);
    game.spawn_at(beside, Health(1)).unwrap();
    game.spawn_batch((0..5000).map(Health));
    game.clear();
    game.spawn_batch((0..5000).map(Armor));
    assert!(game.entities().iter().all(|entity| entity.slot() >= 1024));
    game.spawn_at(later(beside, 1), Health(1)).unwrap();
}

#[test]
fn a_range_is_kept_by_clones_snapshots_and_saves() {
    let mut game = Game::new();
    game.spawn(Health(1));
    game.reserve_ids(64..1000).unwrap();
    game.reserve_ids(500..2000).unwrap();
    let id = unused(777);
    game.spawn_at(id, Health(7)).unwrap();
    let snapshot = game.snapshot();
    let mut restored = Game::new();
    restored.restore(&snapshot);
    let loaded = Game::load(&game.to_bytes().unwrap()).unwrap();
    let text: Game = serde_json::from_str(&serde_json::to_string(&game).unwrap()).unwrap();
    for mut world in [game.clone(), restored, loaded, text] {
        assert_eq!((world.get(id), world.entities().len()), (Some(&Health(7)), 2));
        world.despawn(id).unwrap();
        world.tick();
        let spawned: Vec<u32> = world.spawn_batch((0..500).map(Armor)).map(Entity::slot).collect();
        assert!(spawned.iter().all(|slot| !(64..2000).contains(slot)));
        assert!(world.entities().iter().all(|entity| !(64..2000).contains(&entity.slot())));
        world.spawn_at(later(id, 1), ()).unwrap();
        assert_eq!(world.spawn_at(id, ()).map_err(conflict), Err(IdConflict::Occupied(later(id, 1))));
    }
}

#[test]
fn a_range_in_which_entities_are_spawned_is_refused() {
    let mut game = Game::new();
    game.spawn_batch((0..200).map(Health));
    let error = game.reserve_ids(100..5000).unwrap_err();
    assert!(matches!(error, ReserveIdsError::InUse { slot: 64, world: "Game" }), "{error}");
    assert!(matches!(game.reserve_ids(0..1 << 31), Err(ReserveIdsError::InUse { .. })));
    assert!(matches!(game.reserve_ids(u32::MAX - 1..u32::MAX), Err(ReserveIdsError::NoSuchSlots { .. })));
    game.reserve_ids(50..50).unwrap();
    let next = game.spawn_batch((0..1000).map(Armor)).map(Entity::slot).min();
    assert!(next < Some(5000), "the refused range is in use");
}

#[test]
fn copies_of_a_world_with_chosen_ids_spawn_alike() {
    let mut game = Game::new();
    game.reserve_ids(0..128).unwrap();
    let id = unused;
    for slot in [5, 64, 127, 300, 301, 129, 9000] {
        game.spawn_at(id(slot), Health(slot as u32)).unwrap();
    }
    let mut loaded = Game::load(&game.to_bytes().unwrap()).unwrap();
    for world in [&mut game, &mut loaded] {
        world.despawn(id(301)).unwrap();
        world.tick();
        world.spawn_batch((0..777).map(Health));
        (0..100).for_each(|n| _ = world.spawn((Armor(n), Health(n))));
    }
    assert_eq!(game.hash(), loaded.hash());
    assert!(game.entities().iter().eq(loaded.entities().iter()));
}

#[test]
fn room_for_a_bundle_is_used_by_the_entities_that_come() {
    let mut game = Game::new();
    game.reserve::<(Health, Armor, Knight)>(10_000);
    assert!(game.entities().is_empty());
    let bytes = |game: &Game| game.stats().columns.iter().map(|column| column.bytes).sum::<usize>();
    let before = bytes(&game);
    assert!(before > 10_000 * size_of::<Health>());
    game.spawn_batch((0..10_000).map(|n| (Health(n), Armor(n), Knight)));
    assert_eq!(bytes(&game), before);
    assert_eq!(game.query::<(&Health, &Armor)>().iter().count(), 10_000);
    game.reserve::<()>(0);
    game.reserve::<Badge>(3);
}

#[test]
fn one_column_needs_no_tuple() {
    let mut game = Game::new();
    let ids: Vec<Entity> = game.spawn_columns(vec![Health(1), Health(2)]).collect();
    game.spawn_columns([Badge(1), Badge(2)]);
    game.spawn_columns(vec![Knight, Knight, Knight]);
    assert_eq!((game.get(ids[1]), game.entities().len()), (Some(&Health(2)), 7));
    assert_eq!(
        (game.query::<&Armor>().iter().count(), game.find_one::<Badge>(&Badge(2)).is_some()),
        (3, true)
    );
}
