//! Tests of the allocator by itself, without a world.

use super::*;
use crate::base::component_set::ComponentSet;

const A: SpawnSet = ComponentSet::EMPTY.with(0).spawn_set(2);
const B: SpawnSet = ComponentSet::EMPTY.with(1).spawn_set(2);

/// Spawns so many entities that the next ones of the group get blocks of their own.
fn settle(entities: &mut Entities, set: &SpawnSet) {
    (0..SHARED_SLOTS).for_each(|_| _ = entities.spawn(set));
}

#[test]
fn a_slot_without_generations_left_is_retired() {
    let mut entities = Entities::with(1, DEAD - 1);
    let last = entities.spawn(&A);
    assert_eq!(last.generation().get(), DEAD - 1);
    assert!(entities.despawn(last) && !entities.contains(last) && !entities.despawn(last));
    for _ in 0..200 {
        assert_ne!(entities.spawn(&A).slot(), last.slot());
    }
}

#[test]
fn a_retired_slot_does_not_affect_the_others_of_its_block() {
    let mut entities = Entities::with(1, DEAD - 1);
    let all: Vec<Entity> = (0..130).map(|_| entities.spawn(&A)).collect();
    let before = entities.tick();
    entities.next_ticks(3);
    let retired = [70, 75, 127].map(|at| all[at]);
    assert!(retired.iter().all(|&entity| entities.despawn(entity)));
    assert!(all.iter().all(|&entity| entities.contains(entity) != retired.contains(&entity)));
    assert_eq!((entities.len(), entities.room()), (127, MOST_SLOTS - 127));
    assert_eq!(entities.alive()[0..2], [u64::MAX, !(1 << 6 | 1 << 11 | 1 << 63)]);
    assert_eq!(entities.free_of(1), 0, "a retired slot is not free");
    assert_eq!(retired.map(|entity| entities.at(entity.slot() as usize)), retired);
    assert_eq!(entities.last_despawn(1), before + 3 * TURN);
    assert_eq!(entities.last_despawn(0), 0, "no entity of the first block was despawned");
    for _ in 0..300 {
        let slot = entities.spawn(&A).slot();
        assert!(all.iter().all(|entity| entity.slot() != slot));
    }
}

#[test]
fn groups_that_are_not_small_do_not_share_blocks() {
    let mut entities = Entities::with(1, 1);
    settle(&mut entities, &A);
    settle(&mut entities, &B);
    let slots: Vec<(u32, u32)> =
        (0..1000).map(|_| (entities.spawn(&A).slot() / 64, entities.spawn(&B).slot() / 64)).collect();
    assert!(slots.iter().all(|a| slots.iter().all(|b| a.0 != b.1)));
    assert_eq!(entities.groups(), 2);
}

#[test]
fn groups_with_the_same_cache_entry_do_not_share_blocks() {
    let mut entities = Entities::with(1, 1);
    let groups: Vec<SpawnSet> =
        (0..60).map(|column| ComponentSet::EMPTY.with(column).spawn_set(60)).collect();
    groups.iter().for_each(|group| settle(&mut entities, group));
    let mut group_of = BTreeMap::new();
    for _ in 0..3 {
        for (column, group) in groups.iter().enumerate() {
            let slot = entities.spawn(group).slot();
            assert_eq!(*group_of.entry(slot / 64).or_insert(column), column, "slot {slot}");
            assert!(entities.columns_of(slot).eq([column]));
        }
    }
    assert_eq!((entities.groups(), group_of.len()), (60, 60));
}

#[test]
fn an_empty_block_is_free_for_any_group() {
    let mut entities = Entities::with(1, 1);
    let all: Vec<Entity> = (0..640).map(|_| entities.spawn(&A)).collect();
    let blocks = entities.blocks();
    for entity in all {
        assert!(entities.despawn(entity));
    }
    let free = entities.free_blocks();
    assert!(free > 0);
    for _ in 0..free * 64 {
        entities.spawn(&B);
    }
    assert_eq!((entities.blocks(), entities.free_blocks()), (blocks, 0));
}

#[test]
fn an_emptied_block_is_not_filled_by_its_former_group() {
    let mut entities = Entities::with(1, 1);
    let all: Vec<Entity> = (0..128).map(|_| entities.spawn(&A)).collect();
    for entity in &all[..64] {
        entities.despawn(*entity);
    }
    let mut others: Vec<u32> = (0..64).map(|_| entities.spawn(&B).slot()).collect();
    others.sort_unstable();
    assert!(others.iter().copied().eq(0..64));
    assert!((0..256).all(|_| entities.spawn(&A).slot() >= 64));
    entities.despawn(entities.at(7));
    assert_eq!(entities.spawn(&B).slot(), 7);
}

#[test]
fn holes_are_filled_before_new_blocks() {
    let mut entities = Entities::with(1, 1);
    let all: Vec<Entity> = (0..256).map(|_| entities.spawn(&A)).collect();
    for entity in all.iter().step_by(3) {
        entities.despawn(*entity);
    }
    let blocks = entities.blocks();
    for _ in (0..256).step_by(3) {
        entities.spawn(&A);
    }
    assert_eq!((entities.len(), entities.blocks()), (256, blocks));
}

#[test]
fn small_batches_share_blocks_until_their_group_is_large() {
    let mut entities = Entities::with(1, 1);
    let batch = |entities: &mut Entities, group, count| {
        let mut ranges = Vec::new();
        entities.spawn_many(group, count, &mut ranges);
        assert_eq!(ranges.len(), 1);
        ranges.remove(0)
    };
    assert_eq!(batch(&mut entities, &A, 20), 0..20);
    assert_eq!(batch(&mut entities, &B, 20), 20..40);
    assert_eq!(batch(&mut entities, &A, 44), 40..84);
    assert_eq!((entities.groups(), entities.columns_of(0).collect::<Vec<_>>()), (2, alloc::vec![0, 1]));
    let own = batch(&mut entities, &A, 1);
    assert!(own.start % 64 == 0 && entities.columns_of(own.start).eq([0]));
    let single = entities.spawn(&B).slot();
    assert_eq!((single, entities.columns_of(single).collect::<Vec<_>>()), (84, alloc::vec![0, 1]));
    assert_eq!(batch(&mut entities, &B, 5), 88..93);
}

#[test]
fn single_entities_of_small_groups_fill_parts_of_shared_blocks() {
    let mut entities = Entities::with(1, 1);
    let slots: Vec<[u32; 2]> = (0..34).map(|_| [&A, &B].map(|set| entities.spawn(set).slot())).collect();
    for (at, [a, b]) in (0..).zip(&slots[..32]) {
        assert_eq!([*a, *b], [at / 4 * 8 + at % 4, at / 4 * 8 + 4 + at % 4]);
    }
    assert_eq!(slots[32..], [[64, 128], [65, 129]], "then each has blocks of its own");
}

#[test]
fn a_group_that_is_spawned_alone_fills_a_whole_block() {
    let mut entities = Entities::with(1, 1);
    for set in [&A, &B] {
        let slots: Vec<u32> = (0..100).map(|_| entities.spawn(set).slot()).collect();
        let is_run = |slots: &[u32]| {
            slots[0].is_multiple_of(64) && slots.windows(2).all(|pair| pair[0] + 1 == pair[1])
        };
        assert!(is_run(&slots[..64]) && is_run(&slots[64..]), "{slots:?}");
    }
}

#[test]
fn a_slot_that_waits_for_a_group_is_passed_over_if_it_is_in_use() {
    let mut entities = Entities::with(1, 1);
    assert_eq!([&A, &B].map(|set| entities.spawn(set).slot()), [0, 4]);
    entities.spawn_at(entities.at(1), &B);
    assert_eq!([&A, &B].map(|set| entities.spawn(set).slot()), [2, 5]);
    // the block becomes free and belongs to another group: the slots that waited there for A are no
    // longer its own
    (0..6).filter(|&slot| slot != 3).for_each(|slot| _ = entities.despawn(entities.at(slot)));
    settle(&mut entities, &B);
    let next = entities.spawn(&A).slot();
    assert!(entities.columns_of(next).any(|column| column == 0), "{next}");
}

#[test]
fn an_open_shared_block_without_entities_is_used_again() {
    let mut entities = Entities::with(1, 1);
    let sets: Vec<SpawnSet> = (0..60).map(|column| ComponentSet::EMPTY.with(column).spawn_set(60)).collect();
    for set in &sets {
        let entity = entities.spawn(set);
        assert!(
            entity.slot() < 64
                && entities.columns_of(entity.slot()).any(|column| set.components.0[0] >> column & 1 == 1)
        );
        entities.despawn(entity);
    }
    assert_eq!(entities.blocks(), 1);
}

#[test]
fn parts_take_a_limited_number_of_shared_blocks() {
    let mut entities = Entities::with(2, 1);
    for column in 0..100 {
        (0..33).for_each(|_| _ = entities.spawn(&ComponentSet::EMPTY.with(column).spawn_set(100)));
    }
    let is_shared = |block: &u32| entities.blocks.get(*block).group() == SHARED as u32;
    assert_eq!((0..entities.blocks() as u32).filter(is_shared).count(), 10);
}

#[test]
fn a_batch_without_holes_to_fill_is_one_range() {
    let mut entities = Entities::with(1, 1);
    entities.spawn(&A);
    let mut ranges = Vec::new();
    entities.spawn_many(&A, 10_000, &mut ranges);
    assert!(ranges.len() == 1 && ranges[0] == (1..10_001));
    assert_eq!(entities.len(), 10_001);
}

#[test]
fn the_next_block_with_holes_is_open_as_soon_as_one_is_full() {
    let mut entities = Entities::with(1, 1);
    let all: Vec<Entity> = (0..192).map(|_| entities.spawn(&A)).collect();
    let group = entities.group_of(&A);
    assert!([5, 70].iter().all(|&at| entities.despawn(all[at])));
    assert_eq!(entities.spawn(&A).slot(), 70);
    assert_eq!((entities.groups[group].open, entities.groups[group].free), (0, 1 << 5));
    assert_eq!(entities.spawn(&A).slot(), 5);
}

#[test]
fn a_slot_of_a_part_is_used_again_by_its_group() {
    let mut entities = Entities::with(1, 1);
    let all: Vec<[Entity; 2]> = (0..20).map(|_| [&A, &B].map(|set| entities.spawn(set))).collect();
    for round in 0..1000 {
        for at in [0, 1] {
            let entity = entities.at(all[round % 20][at].slot() as usize);
            assert!(entities.despawn(entity));
            assert_eq!(entities.spawn([&A, &B][at]).slot(), entity.slot());
        }
    }
    assert_eq!((entities.len(), entities.blocks()), (40, 1));
}

#[test]
fn a_shared_block_of_one_group_becomes_its_own_when_the_group_grows() {
    let mut entities = Entities::with(1, 1);
    let all: Vec<Entity> = (0..10).map(|_| entities.spawn(&A)).collect();
    let mut ranges = Vec::new();
    entities.spawn_many(&A, 1000, &mut ranges);
    assert_eq!(ranges.as_slice(), core::slice::from_ref(&(10..1010)));
    assert!(entities.despawn(all[3]));
    assert_eq!(
        (entities.spawn(&B).slot() % 64, entities.columns_of(0).collect::<Vec<_>>()),
        (0, alloc::vec![0])
    );
    assert!((0..200).map(|_| entities.spawn(&A).slot()).any(|slot| slot == 3), "the block is one with holes");
}

#[test]
fn a_shared_block_that_was_used_again_has_the_columns_of_the_group_that_takes_it_over() {
    const C: SpawnSet = ComponentSet::EMPTY.with(2).spawn_set(3);
    let mut entities = Entities::with(1, 1);
    let spawn_many = |entities: &mut Entities, set: &'static SpawnSet, count| {
        let mut ranges = Vec::new();
        entities.spawn_many(set, count, &mut ranges);
        ranges.into_iter().flatten().collect::<Vec<u32>>()
    };
    (0..8).for_each(|_| _ = entities.spawn(&A));
    assert_eq!(spawn_many(&mut entities, &C, 56).len(), 56);
    (0..64).for_each(|slot| assert!(entities.despawn(entities.at(slot))));
    // the first block is used again, and A remembers parts of it
    (0..8).for_each(|_| assert!(entities.spawn(&B).slot() < 64));
    for slot in spawn_many(&mut entities, &A, 100) {
        assert!(entities.columns_of(slot).any(|column| column == 0), "slot {slot}");
    }
}

#[test]
fn retired_slots_of_parts_are_not_used_again() {
    let mut entities = Entities::with(1, DEAD - 2);
    let mut seen = BTreeMap::new();
    for round in 0..300 {
        let entity = entities.spawn([&A, &B][round % 2]);
        *seen.entry(entity.slot()).or_insert(0) += 1;
        assert!(entities.despawn(entity));
    }
    assert!(seen.values().all(|&uses| uses == 2), "{seen:?}");
}
