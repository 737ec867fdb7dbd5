//! The slots of new entities: blocks by allocation group.

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

#[test]
fn the_order_within_a_bundle_makes_no_other_kind() {
    let mut game = Game::new();
    let one = game.spawn((Red(1), Blue(2), Tall));
    let two = game.spawn((Tall, (Blue(2), Red(1))));
    assert_eq!((game.stats().groups, two.slot()), (1, one.slot() + 1));
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
