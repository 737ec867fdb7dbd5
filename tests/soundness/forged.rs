//! Ids that no world has created.

use ecs::EntitySet;
use ecs::prelude::*;

use super::ground::{Ledger, Left, Number, One, Right, Tag, one, wear_out};

/// The last generation that an id can have.
const LAST: u32 = u32::MAX >> 1;

fn id(slot: u32, generation: u32) -> Entity {
    Entity::from_bits(u64::from(generation) << 32 | u64::from(slot)).unwrap()
}

/// Calls every method with an id that is not alive.
fn assert_dead(world: &mut One, ledger: &Ledger, entity: Entity) {
    assert!(!world.contains(entity));
    assert!(world.get::<Left>(entity).is_none() && world.get_mut::<Number>(entity).is_none());
    assert!(!world.has::<Tag>(entity) && world.try_get::<Left>(entity).is_err());
    assert!(world.entity(entity).is_err() && world.entity_mut(entity).is_err());
    assert!(world.despawn(entity).is_err());
    assert!(world.insert(entity, (Left(ledger.token()), Tag)).is_err());
    assert!(world.insert_if_new(entity, Right(ledger.token())).is_err());
    assert!(world.remove::<(Left, Right)>(entity).is_err() && world.try_remove::<Tag>(entity).is_err());
    let query = world.query::<(Entity, Option<&Left>)>();
    assert!(!query.contains(entity) && query.get(entity).is_none());
    assert!(world.query::<&Number>().get(entity).is_none());
    assert!(world.query_mut::<&mut Left>().get_mut(entity).is_none());
    assert!(world.query_mut::<&mut Left>().get_many_mut([entity]).is_err());
    let mut columns = world.columns_mut();
    assert!(columns.left.get_mut(entity).is_none() && columns.left.remove(entity).is_none());
    assert!(columns.left.insert(entity, Left(ledger.token())).is_err());
    assert!(columns.tag.insert(entity, Tag).is_err() && !columns.tag.contains(entity));
}

#[test]
fn no_forged_id_reaches_anything() {
    let ledger = Ledger::new();
    let (mut world, alive) = one(&ledger, 500);
    let generation = alive[0].generation().get();
    let slots =
        [0, 1, 2, 63, 64, 499, 500, 511, 512, 4095, 4096, 1 << 20, u32::MAX - 64, u32::MAX - 1, u32::MAX];
    let generations = [1, 2, generation - 1, generation, generation + 1, generation + 2, LAST - 1, LAST];
    let (count, tokens) = (world.entities().len(), ledger.alive());
    for slot in slots {
        for generation in generations.into_iter().filter(|&generation| generation > 0) {
            let entity = id(slot, generation);
            if !alive.contains(&entity) {
                assert_dead(&mut world, &ledger, entity);
            }
        }
    }
    assert_eq!((world.entities().len(), ledger.alive()), (count, tokens));
    wear_out(world, &ledger);
    ledger.assert_settled();
}

#[test]
fn the_next_id_of_a_free_slot_is_not_alive_before_it_is_allocated() {
    let ledger = Ledger::new();
    let (mut world, alive) = one(&ledger, 130);
    let entity = alive[5];
    world.despawn(entity).unwrap();
    let next = id(entity.slot(), entity.generation().get() + 1);
    assert_dead(&mut world, &ledger, next);
    let never = id(alive.last().unwrap().slot() + 3, entity.generation().get());
    assert_dead(&mut world, &ledger, never);
    assert!(!world.entities().iter().any(|living| living == next || living == never));
    wear_out(world, &ledger);
    ledger.assert_settled();
}

/// The highest bit of the generation marks a free slot.
#[test]
fn no_id_has_the_mark_of_a_free_slot() {
    let ledger = Ledger::new();
    let (mut world, alive) = one(&ledger, 130);
    world.despawn(alive[5]).unwrap();
    for entity in [alive[4], alive[5], alive[6]] {
        assert_eq!(Entity::from_bits(entity.to_bits() | 1 << 63), None);
        assert_eq!(Entity::from_bits((entity.to_bits() + (1 << 32)) | 1 << 63), None);
    }
    wear_out(world, &ledger);
    ledger.assert_settled();
}

#[test]
fn slots_announced_to_a_batch_and_not_used_are_not_alive() {
    struct Liar(u32);
    impl Iterator for Liar {
        type Item = Number;
        fn next(&mut self) -> Option<Number> {
            self.0 = self.0.checked_sub(1)?;
            Some(Number(self.0))
        }
        fn size_hint(&self) -> (usize, Option<usize>) {
            (10_000, None)
        }
    }
    let ledger = Ledger::new();
    let mut world = One::new();
    let spawned: Vec<Entity> = world.spawn_batch(Liar(5)).collect();
    let generation = spawned[0].generation().get();
    for slot in 5..200 {
        assert_dead(&mut world, &ledger, id(slot, generation));
    }
    wear_out(world, &ledger);
    ledger.assert_settled();
}

#[test]
fn in_an_empty_world_no_id_is_alive() {
    let ledger = Ledger::new();
    let mut world = One::new();
    for bits in [1 << 32, u64::MAX >> 1, u64::MAX << 33 >> 1, (1 << 32) | 64] {
        assert_dead(&mut world, &ledger, Entity::from_bits(bits).unwrap());
    }
    ledger.assert_settled();
}

#[test]
fn stale_ids_in_sets_and_components_reach_nothing() {
    let ledger = Ledger::new();
    let (mut world, alive) = one(&ledger, 300);
    let before = world.entities().to_set();
    world.clear();
    for n in 0..300 {
        world.spawn(Number(n));
    }
    for entity in &before.iter().collect::<Vec<_>>() {
        assert_dead(&mut world, &ledger, *entity);
    }
    assert_eq!(before.len(), alive.len());
    assert!((&before & &world.entities().to_set()).is_empty());
    wear_out(world, &ledger);
    ledger.assert_settled();
}

#[test]
fn a_set_takes_any_id() {
    let mut set = EntitySet::new();
    let (far, near) = (id(1 << 20, LAST), id(0, 1));
    assert!(set.insert(far) && set.insert(near) && !set.insert(id(1 << 20, 5)));
    assert!(set.contains(far) && !set.contains(id(1 << 20, 5)) && !set.contains(id(u32::MAX, 1)));
    assert_eq!(set.iter().collect::<Vec<_>>(), [near, far]);
    assert!(!set.remove(id(u32::MAX, LAST)) && set.remove(far));
}
