//! `Drop`, `Clone` and closures that call a world again.

use std::sync::{Arc, Mutex};

use ecs::prelude::*;

use super::ground::{Ledger, Token};

/// A component with a world of the same type.
#[derive(Component, Clone)]
struct Nest(Option<Box<Tree>>);
#[derive(Component, Clone)]
struct Leaf(#[allow(dead_code)] Token);

world! {
    #[derive(Clone)]
    struct Tree { components { nest: Nest, Leaf } }
}

fn tree(ledger: &Ledger, depth: u32) -> Tree {
    let mut world = Tree::new();
    for _ in 0..3 {
        let inner = (depth > 0).then(|| Box::new(tree(ledger, depth - 1)));
        world.spawn((Nest(inner), Leaf(ledger.token())));
    }
    world
}

#[test]
fn worlds_nest_in_their_own_components() {
    let ledger = Ledger::new();
    let mut world = tree(&ledger, 4);
    let leaves = 3 + 9 + 27 + 81 + 243;
    assert_eq!(ledger.alive(), leaves);
    let copy = world.clone();
    assert_eq!(ledger.alive(), 2 * leaves);
    let ids: Vec<Entity> = world.entities().iter().collect();
    world.despawn(ids[0]).unwrap();
    assert_eq!(ledger.alive(), 2 * leaves - leaves / 3);
    let inner = world.remove::<Nest>(ids[1]).unwrap().and_then(|nest| nest.0).unwrap();
    world = *inner;
    assert_eq!(world.entities().len(), 3);
    drop((world, copy));
    ledger.assert_settled();
}

#[test]
fn a_world_is_swapped_with_the_one_in_its_component() {
    let ledger = Ledger::new();
    let mut world = tree(&ledger, 2);
    let id = world.entities().iter().next().unwrap();
    let mut inner = world.get_mut::<Nest>(id).unwrap().0.take().unwrap();
    std::mem::swap(&mut world, &mut inner);
    world.spawn(Nest(Some(inner)));
    assert_eq!(world.query::<&Nest>().len(), 4);
    drop(world);
    ledger.assert_settled();
}

/// A component whose drop calls all methods of the worlds that it can reach.
#[derive(Component)]
struct Vandal(Arc<Mutex<Pit>>, #[allow(dead_code)] Token);
#[derive(Component)]
struct Stone(#[allow(dead_code)] Token);

world! {
    struct Pit { components { Stone, Vandal } }
}

impl Drop for Vandal {
    fn drop(&mut self) {
        if let Ok(mut pit) = self.0.try_lock() {
            let ids: Vec<Entity> = pit.entities().iter().take(2).collect();
            for id in ids {
                let _ = pit.remove::<Stone>(id);
                let _ = pit.despawn(id);
            }
            if pit.entities().len() > 5 {
                pit.clear();
            }
        }
    }
}

#[test]
fn a_drop_changes_other_worlds() {
    let ledger = Ledger::new();
    let other = Arc::new(Mutex::new(Pit::new()));
    for _ in 0..50 {
        other.lock().unwrap().spawn((Stone(ledger.token()), Vandal(other.clone(), ledger.token())));
    }
    let mut pit = Pit::new();
    let ids: Vec<Entity> = (0..20).map(|_| pit.spawn(Vandal(other.clone(), ledger.token()))).collect();
    for id in ids {
        pit.despawn(id).unwrap();
        let other = other.lock().unwrap();
        assert_eq!(other.query::<&Stone>().iter().count(), other.entities().len());
    }
    drop(pit);
    other.lock().unwrap().clear();
    drop(other);
    ledger.assert_settled();
}

#[test]
fn a_drop_comes_back_to_its_own_world_after_the_verb() {
    let ledger = Ledger::new();
    let shared = Arc::new(Mutex::new(Pit::new()));
    let ids: Vec<Entity> = (0..100)
        .map(|_| {
            shared.lock().unwrap().spawn((Vandal(shared.clone(), ledger.token()), Stone(ledger.token())))
        })
        .collect();
    for id in ids {
        let taken = shared.lock().unwrap().remove::<(Vandal, Stone)>(id);
        drop(taken); // the lock is free: the value's drop reaches its former world
    }
    let (stones, vandals, entities) = {
        let pit = shared.lock().unwrap();
        (pit.query::<&Stone>().len(), pit.query::<&Vandal>().len(), pit.entities().len())
    };
    assert_eq!((stones, vandals), (vandals, stones));
    assert!(stones <= entities);
    shared.lock().unwrap().clear();
    ledger.assert_settled();
}

#[test]
fn a_loop_over_one_world_changes_another() {
    let ledger = Ledger::new();
    let mut one = tree(&ledger, 1);
    let mut two = tree(&ledger, 0);
    one.query_mut::<(Entity, &mut Nest)>().for_each(|(_, nest)| {
        two.spawn((Nest(nest.0.take()), Leaf(ledger.token())));
        let first = two.entities().iter().next().unwrap();
        two.despawn(first).unwrap();
    });
    assert_eq!((one.query::<&Nest>().len(), two.entities().len()), (3, 3));
    drop((one, two));
    ledger.assert_settled();
}
