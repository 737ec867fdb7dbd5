//! Entity ids: their parts, and the generations that keep them distinct.

use ecs::error::NoSuchEntity;
use ecs::prelude::*;
use static_assertions::{assert_eq_size, assert_impl_all};

#[derive(Component, PartialEq, Debug)]
struct Position(i32);
#[derive(Component)]
struct Velocity(#[allow(dead_code)] i32);

world! {
    struct Game { components { Position, Velocity } }
}

world! {
    struct Other { components { Position } }
}

assert_eq_size!(Entity, Option<Entity>, u64);
assert_impl_all!(Entity: Copy, Ord, std::hash::Hash, Send, Sync, std::fmt::Debug, std::fmt::Display);

#[test]
fn ids_print_their_slot_and_generation() {
    let entity = Entity::from_bits(3 << 32 | 12).unwrap();
    assert_eq!((entity.to_string(), format!("{entity:?}")), ("12v3".to_owned(), "12v3".to_owned()));
    assert_eq!((entity.slot(), entity.generation().get()), (12, 3));
}

#[test]
fn ids_round_trip_through_numbers() {
    let mut game = Game::new();
    for n in 0..200 {
        let entity = game.spawn(Position(n));
        assert_eq!(Entity::from_bits(entity.to_bits()), Some(entity));
    }
    for bits in [1 << 32, u64::MAX >> 1, 0x5ead_beef_0000_0000] {
        assert_eq!(Entity::from_bits(bits).map(Entity::to_bits), Some(bits));
    }
}

#[test]
fn generation_zero_is_no_id_nor_is_one_of_32_bits() {
    assert_eq!(Entity::from_bits(0), None);
    assert_eq!(Entity::from_bits(1 << 63), None);
    assert_eq!(Entity::from_bits(u64::MAX), None);
    assert_eq!(Entity::from_bits(u64::from(u32::MAX)), None);
}

#[test]
fn ids_are_ordered_by_slot_and_then_by_generation() {
    let id = |slot: u64, generation: u64| Entity::from_bits(generation << 32 | slot).unwrap();
    assert!(id(1, 9) < id(2, 1));
    assert!(id(2, 1) < id(2, 2));
    let mut game = Game::new();
    let spawned: Vec<Entity> = (0..300).map(|n| game.spawn(Position(n))).collect();
    assert!(spawned.is_sorted());
}

#[test]
fn despawned_handle_stays_dead() {
    let mut game = Game::new();
    let first = game.spawn(Position(1));
    game.despawn(first).unwrap();
    for n in 0..1000 {
        let next = game.spawn(Position(n));
        assert!(!game.contains(first) && !game.has::<Position>(first));
        assert_eq!(game.get::<Position>(first), None);
        assert_eq!(game.get_mut::<Position>(first), None);
        assert_eq!(game.despawn(first), Err(NoSuchEntity { entity: first, world: "Game" }));
        assert!(game.insert(first, Position(7)).is_err());
        assert!(game.remove::<Position>(first).is_err());
        assert_eq!(game.get(next), Some(&Position(n)));
        if n % 2 == 0 {
            game.despawn(next).unwrap();
        }
    }
}

#[test]
fn a_reused_slot_has_a_younger_generation() {
    let mut game = Game::new();
    let first = game.spawn(Position(1));
    game.despawn(first).unwrap();
    let second = game.spawn(Position(2));
    assert_eq!(first.slot(), second.slot());
    assert!(second.generation() > first.generation());
    assert_ne!(first, second);
}

#[test]
fn an_id_of_another_world_type_is_no_such_entity() {
    let (mut game, mut other) = (Game::new(), Other::new());
    let ours: Vec<Entity> = (0..100).map(|n| game.spawn(Position(n))).collect();
    let theirs: Vec<Entity> = (0..100).map(|n| other.spawn(Position(n))).collect();
    for (&our, &their) in ours.iter().zip(&theirs) {
        assert_eq!(our.slot(), their.slot());
        assert_eq!(other.despawn(our), Err(NoSuchEntity { entity: our, world: "Other" }));
        assert_eq!(game.get::<Position>(their), None);
        assert!(!game.contains(their) && game.entity(their).is_err());
    }
    assert_eq!((game.entities().len(), other.entities().len()), (100, 100));
}

#[test]
fn an_id_of_another_world_type_stays_foreign_while_slots_are_reused() {
    let (mut game, mut other) = (Game::new(), Other::new());
    let foreign = other.spawn(Position(0));
    for n in 0..10_000 {
        let entity = game.spawn(Position(n));
        assert!(!game.contains(foreign));
        game.despawn(entity).unwrap();
    }
}

#[test]
fn ids_are_the_same_in_every_run() {
    let script = || {
        let mut game = Game::new();
        let mut ids: Vec<Entity> = (0..100).map(|n| game.spawn(Position(n))).collect();
        for n in [3, 50, 70, 99] {
            game.despawn(ids[n]).unwrap();
        }
        ids.extend(game.spawn_batch((0..90).map(Velocity)));
        ids.extend(game.spawn_batch((0..90).map(Position)));
        ids
    };
    assert_eq!(script(), script());
}

#[test]
fn ids_can_be_kept_in_components() {
    #[derive(Component)]
    struct Target(Entity);
    world! {
        struct Duel { components { Target, Position } }
    }
    let mut duel = Duel::new();
    let prey = duel.spawn(Position(5));
    let hunter = duel.spawn(Target(prey));
    let target = duel.get::<Target>(hunter).unwrap().0;
    assert_eq!(duel.get(target), Some(&Position(5)));
    duel.despawn(prey).unwrap();
    assert_eq!(duel.get::<Position>(target), None);
}
