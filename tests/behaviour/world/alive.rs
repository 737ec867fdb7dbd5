//! The slots of new entities: blocks by allocation group.

use std::collections::BTreeSet;

use ecs::prelude::*;

#[derive(Component)]
struct Red(#[allow(dead_code)] u32);
#[derive(Component)]
struct Blue(#[allow(dead_code)] u32);
#[derive(Component)]
struct Tall;

world! {
    struct Game { components { Red, Blue, Tall } }
}

fn blocks(entities: &[Entity]) -> BTreeSet<u32> {
    entities.iter().map(|entity| entity.slot() / 64).collect()
}

#[test]
fn only_small_kinds_share_blocks() {
    let mut game = Game::new();
    let mut kinds: [Vec<Entity>; 4] = Default::default();
    for n in 0..200 {
        kinds[0].push(game.spawn(Red(n)));
        kinds[1].push(game.spawn(Blue(n)));
        kinds[2].push(game.spawn((Red(n), Tall)));
        kinds[3].push(game.spawn(()));
    }
    // in turn, each kind gets four slots at a time, and blocks of its own when it is not small any
    // more
    let small: Vec<Entity> = kinds.iter().flat_map(|kind| &kind[..32]).copied().collect();
    assert_eq!(blocks(&small).len(), 2, "full blocks");
    for (i, kind) in kinds.iter().enumerate() {
        let own = blocks(&kind[32..]);
        assert!(own.is_disjoint(&blocks(&small)));
        assert!(kinds[..i].iter().all(|other| blocks(other).is_disjoint(&own)));
    }
    assert_eq!(game.stats().groups, 4);
}

#[test]
fn small_kinds_that_come_and_go_take_no_more_memory() {
    let mut game = Game::new();
    let spawn = |game: &mut Game, n: u32| match n % 3 {
        0 => game.spawn(Red(n)),
        1 => game.spawn(Blue(n)),
        _ => game.spawn((Red(n), Tall)),
    };
    let mut all: Vec<Entity> = (0..60).map(|n| spawn(&mut game, n)).collect();
    assert_eq!(game.stats().blocks, 1);
    for n in 0..3000 {
        let at = n as usize * 7 % 60;
        game.despawn(all[at]).unwrap();
        all[at] = spawn(&mut game, at as u32);
    }
    assert_eq!((game.stats().blocks, game.entities().len()), (1, 60));
}

#[test]
fn the_order_within_a_bundle_makes_no_other_kind() {
    let mut game = Game::new();
    let one = game.spawn((Red(1), Blue(2), Tall));
    let two = game.spawn((Tall, (Blue(2), Red(1))));
    assert_eq!((game.stats().groups, two.slot()), (1, one.slot() + 1));
}

#[test]
fn a_kind_fills_its_blocks() {
    let mut game = Game::new();
    let reds: Vec<Entity> = (0..640).map(|n| game.spawn(Red(n))).collect();
    assert_eq!(blocks(&reds).len(), 10);
}

#[test]
fn a_slot_serves_its_kind_again() {
    let mut game = Game::new();
    let reds: Vec<Entity> = (0..192).map(|n| game.spawn(Red(n))).collect();
    game.spawn(Blue(0));
    let before = game.stats().blocks;
    for n in [5, 70, 130] {
        game.despawn(reds[n]).unwrap();
    }
    let mut again: Vec<u32> = (0..3).map(|n| game.spawn(Red(n)).slot()).collect();
    again.sort_unstable();
    assert_eq!(again, [reds[5].slot(), reds[70].slot(), reds[130].slot()]);
    assert_eq!(game.stats().blocks, before);
}

#[test]
fn a_block_that_empties_serves_any_kind() {
    let mut game = Game::new();
    let reds: Vec<Entity> = (0..128).map(|n| game.spawn(Red(n))).collect();
    let before = game.stats();
    for &red in &reds[..64] {
        game.despawn(red).unwrap();
    }
    assert_eq!(game.stats().free_blocks, before.free_blocks + 1);
    let blue = game.spawn(Blue(1));
    assert_eq!(blue.slot() / 64, reds[0].slot() / 64);
    assert_eq!(game.stats().blocks, before.blocks);
    assert!(!game.has::<Red>(blue));
}

#[test]
fn memory_does_not_grow_with_turnover() {
    let mut game = Game::new();
    let mut kept: Vec<Entity> = (0..1000).map(|n| game.spawn(Red(n))).collect();
    let before = game.stats();
    for round in 0..100 {
        for entity in kept.drain(..500) {
            game.despawn(entity).unwrap();
        }
        kept.extend((0..500).map(|n| game.spawn(Red(n + round))));
    }
    let after = game.stats();
    assert_eq!((after.blocks, after.pages, after.entities), (before.blocks, before.pages, 1000));
}

#[test]
fn kinds_that_take_turns_share_memory() {
    let mut game = Game::new();
    for round in 0..50 {
        let entities: Vec<Entity> = match round % 3 {
            0 => game.spawn_batch((0..640).map(Red)).collect(),
            1 => game.spawn_batch((0..640).map(Blue)).collect(),
            _ => game.spawn_batch((0..640).map(|n| (Red(n), Tall))).collect(),
        };
        assert_eq!(game.entities().len(), 640);
        for entity in entities {
            game.despawn(entity).unwrap();
        }
    }
    // each kind may keep a block that it was filling and a run of blocks that it had not opened
    assert!(game.stats().blocks <= 3 * (10 + 64), "{}", game.stats());
}
