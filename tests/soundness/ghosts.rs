//! Values of despawned entities: no query finds them, and no later entity has them.

use ecs::prelude::*;

use super::ground::{Ledger, Token};

#[derive(Component)]
struct X(#[expect(dead_code, reason = "counts drops")] Token);
#[derive(Component)]
struct Y(#[expect(dead_code, reason = "counts drops")] Token);
#[derive(Component)]
struct Z(#[expect(dead_code, reason = "counts drops")] Token);
#[derive(Component)]
struct Tag;

world! {
    struct Cellar { components { X, Y, Z, Tag } }
}

#[test]
fn a_group_that_takes_over_a_reused_block_leaves_no_values_there() {
    let ledger = Ledger::new();
    let mut cellar = Cellar::new();
    let mut old: Vec<Entity> = (0..8).map(|_| cellar.spawn(X(ledger.token()))).collect();
    old.extend(cellar.spawn_batch((0..56).map(|_| Z(ledger.token()))));
    old.into_iter().for_each(|entity| cellar.despawn(entity).unwrap());
    // the block is used again by `Y`, and then belongs to the entities with `X`
    let kept: Vec<Entity> = (0..8).map(|_| cellar.spawn(Y(ledger.token()))).collect();
    let batch: Vec<Entity> = cellar.spawn_batch((0..100).map(|_| X(ledger.token()))).collect();
    batch.into_iter().for_each(|entity| cellar.despawn(entity).unwrap());
    assert_eq!((cellar.query::<&X>().len(), cellar.query::<&Y>().len(), ledger.alive()), (0, 8, 8));
    kept.into_iter().for_each(|entity| cellar.despawn(entity).unwrap());
    let late: Vec<Entity> = (0..300).map(|_| cellar.spawn(Tag)).collect();
    assert!(late.iter().all(|&entity| !cellar.has::<X>(entity) && !cellar.has::<Y>(entity)));
    ledger.assert_settled();
}
