//! The plan of a regrouping and its moves, without a world.

use super::*;
use crate::base::component_set::ComponentSet;

fn set_of(columns: &[usize]) -> Words {
    columns.iter().fold(ComponentSet::EMPTY, |set, &column| set.with(column)).words()
}

/// Entities with sets of components, of a world with three columns.
struct Model {
    entities: Entities,
    /// By slot, the components of the entity.
    columns: BTreeMap<u32, Vec<usize>>,
}

impl Model {
    fn new() -> Self {
        Self { entities: Entities::with(1, 1), columns: BTreeMap::new() }
    }

    /// Spawns an entity with `born`, which has the components `now` later.
    fn spawn(&mut self, born: &[usize], now: &[usize]) -> u32 {
        let set = born.iter().fold(ComponentSet::EMPTY, |set, &column| set.with(column));
        let slot = self.entities.spawn(&set.spawn_set(3)).slot();
        now.iter().for_each(|&column| self.entities.note(slot, column));
        self.columns.insert(slot, now.to_vec());
        slot
    }

    fn despawn(&mut self, slot: u32) {
        self.columns.remove(&slot);
        assert!(self.entities.despawn(self.entities.at(slot as usize)));
    }

    fn regroup(&mut self) -> Regrouped {
        let columns = &self.columns;
        let word_of = |column, word: usize| {
            let range = word as u32 * 64..word as u32 * 64 + 64;
            let with = columns.range(range).filter(|(_, all)| all.contains(&column));
            with.fold(0, |bits, (slot, _)| bits | 1 << (slot % 64))
        };
        let plan = self.entities.plan_regroup(word_of);
        let moved = self.entities.regroup(&plan);
        let taken: Vec<_> =
            moved.iter().map(|(old, new)| (new.slot(), self.columns.remove(&old.slot()).unwrap())).collect();
        for (slot, columns) in taken {
            assert!(self.columns.insert(slot, columns).is_none(), "slot {slot} is taken");
        }
        self.check();
        moved
    }

    /// The allocator agrees with itself and with the map.
    fn check(&self) {
        let slots: Vec<u32> = self.columns.keys().copied().collect();
        let alive = self.entities.alive().iter().enumerate();
        let alive: Vec<u32> =
            alive.flat_map(|(word, &bits)| Bits(bits).map(move |bit| (word * 64 + bit) as u32)).collect();
        assert_eq!(slots, alive);
        for (&slot, columns) in &self.columns {
            assert_eq!(self.entities.living_at(slot as usize), Some(self.entities.at(slot as usize)));
            let held: Vec<usize> = self.entities.columns_of(slot).collect();
            assert!(columns.iter().all(|column| held.contains(column)), "slot {slot}");
        }
        for (at, group) in self.entities.groups.iter().enumerate() {
            assert!(group.open == NONE || self.entities.blocks.get(group.open).group() == at as u32);
            assert!(group.open == NONE || group.free == self.entities.free_of(group.open));
        }
    }

    /// The slots of the entities that have exactly these components.
    fn slots(&self, columns: &[usize]) -> Vec<u32> {
        self.columns.iter().filter(|(_, all)| *all == columns).map(|(slot, _)| *slot).collect()
    }
}

#[test]
fn neighbours_in_the_order_differ_in_one_component() {
    let mut sets: Vec<Vec<usize>> = (0..32_usize)
        .map(|set| {
            [0, 1, 63, 64, 130]
                .into_iter()
                .enumerate()
                .filter(|(i, _)| set >> i & 1 == 1)
                .map(|(_, column)| column)
                .collect()
        })
        .collect();
    sets.sort_by_cached_key(|set| gray_position(&set_of(set)));
    for pair in sets.windows(2) {
        let differ = pair[0]
            .iter()
            .chain(&pair[1])
            .filter(|column| pair[0].contains(column) != pair[1].contains(column));
        assert_eq!(differ.count(), 1, "{pair:?}");
    }
    assert!(sets[..16].iter().all(|set| !set.contains(&0)) && sets[16..].iter().all(|set| set.contains(&0)));
}

#[test]
fn entities_that_grew_lie_in_full_blocks_of_their_kind() {
    let mut model = Model::new();
    let kinds: [&[usize]; 4] = [&[0], &[1], &[0, 1], &[]];
    for i in 0..4 * 640 {
        model.spawn(&[], kinds[i % 4]);
    }
    let blocks_before = model.entities.blocks();
    let moved = model.regroup();
    assert!(moved.len() <= 3 * 640 + 630);
    for kind in kinds {
        let blocks: BTreeSet<u32> = model.slots(kind).iter().map(|slot| slot / 64).collect();
        assert_eq!(blocks.len(), 10, "{kind:?}");
    }
    assert_eq!(model.entities.blocks(), blocks_before, "no block is added");
    assert!(model.regroup().is_empty(), "nothing is left to move");
}

#[test]
fn a_rare_kind_lies_in_blocks_side_by_side() {
    let mut model = Model::new();
    // 10 or 11 of the 64 entities of each block are rare, so that all blocks are nearly full of the
    // other kind
    (0..6400).for_each(|i| _ = model.spawn(&[0], if i * 7 % 6 == 0 { &[0, 1] } else { &[0] }));
    let moved = model.regroup();
    let rare = model.slots(&[0, 1]);
    assert_eq!(rare, (rare[0]..rare[0] + 1067).collect::<Vec<_>>());
    assert!(moved.len() <= 2 * 1067, "about as many others move as there are rare ones: {}", moved.len());
    assert!(model.regroup().is_empty());
}

#[test]
fn a_block_of_one_kind_stays_where_it_is_whatever_its_entities_were_born_with() {
    let mut model = Model::new();
    (0..6400).for_each(|_| _ = model.spawn(&[], &[0, 2]));
    assert!(model.regroup().is_empty());
    let next = model.spawn(&[0, 2], &[0, 2]);
    assert!(next >= 6400, "the blocks belong to the kind now, and are full");
    assert_eq!(model.entities.blocks.get(0).group(), model.entities.blocks.get(next / 64).group());
}

#[test]
fn small_kinds_lie_side_by_side() {
    let mut model = Model::new();
    let kinds: [&[usize]; 8] = [&[], &[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]];
    for i in 0..8 * 20 {
        model.spawn(kinds[i % 8], kinds[i % 8]);
    }
    let first: Vec<u32> = model.slots(&[]);
    assert_eq!((first[4], first[19]), (32, 131), "in turn they were spawned in parts of four slots");
    assert_eq!(model.regroup().len(), 156, "all but the first part");
    let mut with_first: Vec<u32> =
        kinds.iter().filter(|kind| kind.contains(&0)).flat_map(|kind| model.slots(kind)).collect();
    with_first.sort_unstable();
    assert_eq!(with_first.last().unwrap() - with_first[0], 79, "{with_first:?}");
    assert!(model.regroup().is_empty());
    let grown = model.spawn(&[], &[2]);
    let moved = model.regroup();
    assert!(moved.len() <= 21 && moved.get(model.entities.at(0)).is_none(), "{grown}: {moved:?}");
    assert!(model.regroup().is_empty());
}

#[test]
fn a_kind_that_became_small_gets_parts_of_shared_blocks_again() {
    let mut model = Model::new();
    let slots: Vec<u32> = (0..1000).map(|_| model.spawn(&[0], &[0])).collect();
    slots[10..].iter().for_each(|&slot| model.despawn(slot));
    (0..20).for_each(|_| _ = model.spawn(&[1], &[1]));
    let _ = model.regroup();
    let blocks = model.entities.blocks();
    let next = model.spawn(&[0], &[0]);
    assert_eq!(model.entities.blocks.get(next / 64).group(), SHARED as u32);
    assert_eq!(model.entities.blocks(), blocks);
    model.check();
    assert!(model.regroup().len() <= 31);
    assert!(model.regroup().is_empty());
}

#[test]
fn holes_are_closed() {
    let mut model = Model::new();
    let slots: Vec<u32> = (0..6400).map(|_| model.spawn(&[0], &[0])).collect();
    slots.iter().filter(|&slot| !slot.is_multiple_of(10)).for_each(|&slot| model.despawn(slot));
    let _ = model.regroup();
    let blocks: BTreeSet<u32> = model.slots(&[0]).iter().map(|slot| slot / 64).collect();
    assert_eq!(blocks.len(), 10);
    assert!(model.regroup().is_empty());
    assert_eq!(model.entities.free_blocks(), model.entities.blocks() - 10);
}

#[test]
fn ids_from_before_are_not_current_and_spent_slots_are_retired() {
    let mut model = Model { entities: Entities::with(1, DEAD - 1), ..Model::new() };
    for i in 0..300 {
        model.spawn(&[], if i % 2 == 0 { &[0] } else { &[1] });
    }
    let before: Vec<Entity> = model.columns.keys().map(|&slot| model.entities.at(slot as usize)).collect();
    let moved = model.regroup();
    assert!(!moved.is_empty());
    for id in before {
        assert_eq!(model.entities.contains(id), moved.get(id).is_none(), "{id}");
        assert!(model.entities.contains(moved.current(id)));
    }
    for (former, _) in moved.iter() {
        assert_eq!(model.entities.free_of(former.slot() / 64) >> (former.slot() % 64) & 1, 0, "retired");
    }
}

#[test]
fn after_random_changes_the_allocator_agrees_with_a_map() {
    let kinds: [&[usize]; 6] = [&[], &[0], &[1], &[0, 1], &[0, 2], &[0, 1, 2]];
    for seed in 1..40_u64 {
        let (mut model, mut state) = (Model::new(), seed);
        let mut random = |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % below
        };
        for _ in 0..12 {
            for _ in 0..random(700) {
                let (born, now) = (kinds[random(6)], kinds[random(6)]);
                model.spawn(born, now);
            }
            let slots: Vec<u32> = model.columns.keys().copied().collect();
            let rate = random(5) + 1;
            slots.into_iter().filter(|_| random(rate) == 0).for_each(|slot| model.despawn(slot));
            let (count, moved) = (model.columns.len(), model.regroup());
            assert_eq!(model.columns.len(), count);
            assert!(moved.iter().all(|(former, present)| former.slot() != present.slot()));
            assert!(model.regroup().is_empty(), "seed {seed}");
        }
    }
}

#[test]
fn shared_blocks_that_are_half_empty_with_new_kinds_are_filled_anew_at_once() {
    let mut model = Model::new();
    let kinds: [&[usize]; 8] = [&[], &[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]];
    for i in 0..8 * 24 {
        model.spawn(kinds[i % 8], kinds[i % 8]);
    }
    let _ = model.regroup();
    assert!(model.columns.keys().copied().eq(0..192), "three full blocks");
    // three kinds stay, each at the end of a block, so that no other kind has room behind it
    let stays = |slot: u32| {
        [48..52, 60..72, 120..130, 138..144, 168..172, 180..192].iter().any(|range| range.contains(&slot))
    };
    (0..192).filter(|&slot| !stays(slot)).for_each(|slot| model.despawn(slot));
    // two kinds that are not side by side
    (0..8).for_each(|i| _ = model.spawn(&[], if i % 2 == 0 { &[3] } else { &[4] }));
    assert!(!model.regroup().is_empty());
    assert!(model.regroup().is_empty(), "nothing is left to move");
}
